"""The operator API of a client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Optional

from . import types as t
from ._calls import Headers
from ._names import checks_names
from ._transport import Call


@checks_names
class Admin:
    """The operator API: projects, keys and people of a deployment.

    Its key has the permission `admin`, which `trawl keys create` grants on the server's machine. A call that makes something
    is not repeated by itself.
    """

    def __init__(self, read: Callable[[Call, Optional[float]], Any]) -> None:
        self._read = read

    def list_projects(
        self,
        *,
        name: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.ProjectsResponse:
        """One page of projects. `next_after` is there when more follow."""
        query = {"name": name, "limit": limit, "after": after}
        return self._read(Call("list_projects", query=query, headers=headers), timeout)

    def create_project(
        self, project: t.NewProject, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.AdminProject:
        """Makes a project. A name that another one has is refused."""
        call = Call("create_project", body=project, headers=headers, buys=True)
        return self._read(call, timeout)

    def read_project(
        self, project_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.AdminProject:
        return self._read(Call("read_project", project_id, headers=headers), timeout)

    def change_project(
        self,
        project_id: str,
        change: t.ProjectChange,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.AdminProject:
        """Sets what is named; None removes a limit."""
        return self._read(Call("change_project", project_id, body=change, headers=headers), timeout)

    def delete_project(
        self, project_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> None:
        """Deletes a project without keys and recorded sessions."""
        return self._read(Call("delete_project", project_id, headers=headers), timeout)

    def list_keys(
        self,
        *,
        project_id: Optional[str] = None,
        name: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.KeysResponse:
        """One page of keys, without their secrets. `next_after` is there when more follow."""
        query = {"project_id": project_id, "name": name, "limit": limit, "after": after}
        return self._read(Call("list_keys", query=query, headers=headers), timeout)

    def create_key(
        self, key: t.NewKey, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.IssuedKey:
        """Makes a key. Only this answer has its secret."""
        return self._read(Call("create_key", body=key, headers=headers, buys=True), timeout)

    def read_key(
        self, key_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> t.AdminKey:
        return self._read(Call("read_key", key_id, headers=headers), timeout)

    def change_key(
        self,
        key_id: str,
        change: t.KeyChange,
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.AdminKey:
        """Sets what is named; None removes a limit. `disabled` ends and begins its use."""
        return self._read(Call("change_key", key_id, body=change, headers=headers), timeout)

    def delete_key(
        self, key_id: str, *, timeout: Optional[float] = None, headers: Headers = None
    ) -> None:
        """Ends a key for good."""
        return self._read(Call("delete_key", key_id, headers=headers), timeout)

    def rotate_key(
        self,
        key_id: str,
        grace: Literal["now", "15m", "1h", "6h", "24h"],
        *,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.RotatedKey:
        """Replaces a key by a new one with the same settings. The old one is valid for `grace`."""
        body = {"grace": grace}
        call = Call("rotate_key", key_id, body=body, headers=headers, buys=True)
        return self._read(call, timeout)

    def list_members(
        self,
        *,
        project_id: Optional[str] = None,
        limit: Optional[int] = None,
        after: Optional[str] = None,
        timeout: Optional[float] = None,
        headers: Headers = None,
    ) -> t.MembersResponse:
        """One page of the people of the console. `next_after` is there when more follow."""
        query = {"project_id": project_id, "limit": limit, "after": after}
        return self._read(Call("list_members", query=query, headers=headers), timeout)
