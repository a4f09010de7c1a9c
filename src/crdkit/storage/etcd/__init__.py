"""A store in etcd, laid out as kube-apiserver does: for several servers at once, on more than one machine."""

from crdkit.storage.etcd.driver import EtcdDriver
from crdkit.storage.etcd.settings import EtcdSettings

__all__ = ["EtcdDriver", "EtcdSettings"]
