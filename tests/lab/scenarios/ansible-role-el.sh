# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: on EL the Ansible role installs NetworkManager-infiniband with dnf (a stand-in for dnf: nothing of EL runs here)
# with: cli
# releases: (bookworm) (trixie)
# files: role
. ./lib.sh
mkdir -p /run/library
cat >/run/library/dnf.py <<'END'
#!/usr/bin/python3
from ansible.module_utils.basic import AnsibleModule
module = AnsibleModule({"name": {"type": "list"}, "state": {}}, supports_check_mode=True)
with open("/run/asked", "w") as f:
    f.write(f"{' '.join(module.params['name'])} {module.params['state']} {module.check_mode}\n")
module.exit_json(changed=True)
END
cat >/run/site.yml <<'END'
- hosts: localhost
  gather_facts: false
  pre_tasks:
    - ansible.builtin.set_fact: {os_family: RedHat, pkg_mgr: dnf, cacheable: true}
  roles: [nm_infiniband]
END
export LC_ALL=C.UTF-8 ANSIBLE_PIPELINING=1 ANSIBLE_ROLES_PATH=$JOB ANSIBLE_LIBRARY=/run/library
play() { ansible-playbook -c local -i localhost, -e ansible_python_interpreter=/usr/bin/python3 /run/site.yml "$@"; }
check "role on EL: check mode succeeds" play --check
check "role on EL: check mode passes the package to dnf, with check mode on" is "$(cat /run/asked)" "NetworkManager-infiniband present True"
touch /run/ostree-booted
check "role on an image host: refused" ends 2 play --check
check "role on an image host, nm_ib_package empty: check mode succeeds" play --check -e nm_ib_package=
rm /run/ostree-booted
check "role with a package file on the host: check mode succeeds" play --check -e nm_ib_package=/root/NetworkManager-infiniband-0.1.0-1.el9.x86_64.rpm
check "role with a package file on the host: dnf gets the path of the file" is "$(cat /run/asked)" "/root/NetworkManager-infiniband-0.1.0-1.el9.x86_64.rpm present True"
