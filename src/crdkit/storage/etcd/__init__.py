"""A store in etcd, laid out as kube-apiserver does: for several servers at once, on more than one machine."""
