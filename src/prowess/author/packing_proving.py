"""Archives that were just made, taken as an install takes them: what is packed can be installed.

They are unpacked into a folder that is gone afterwards, by the same judge and within the same bounds.
It does not know what is in them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

from prowess.errors import PackageRejected, SourceRefused
from prowess.source.archive import unpack_archive
from prowess.source.archive_bounds import Bounds, Meter
from prowess.source.archive_tree import Unpacking
from prowess.store.installed_changing import delete_tree


def insist_on_installable(archives: Mapping[str, bytes]) -> None:
    """Raise PackageRejected when an install would refuse one of these archives; OSError of the disk."""
    for name, content in archives.items():
        folder = tempfile.mkdtemp(prefix="prowess-")
        try:
            archive, tree = os.path.join(folder, name), os.path.join(folder, "tree")
            os.mkdir(tree, 0o700)
            with open(archive, "xb") as file:
                file.write(content)
            unpacking = Unpacking(tree, Meter(Bounds()))
            unpack_archive(archive, unpacking)
            unpacking.finish()
        except SourceRefused as error:
            why = f"{name} could not be installed [{error.code}]: {error.message}"
            raise PackageRejected(why, hint=error.hint) from None
        finally:
            delete_tree(folder)
