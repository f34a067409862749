// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual functions: what ib_ipoib hands down for `ip link set ... vf`, and the HCA that a driver makes of
 * one. Serves set_vf_guid, get_vf_guid and their kin.
 */
#include "softhca.h"

static int sh_vf_bad(struct ib_device *ib, int vf, u32 port)
{
	return vf < 0 || vf >= SH_MAX_VF || !port || port > to_dev(ib)->nports;
}

int sh_set_vf_link(struct ib_device *ib, int vf, u32 port, int st)
{
	if (sh_vf_bad(ib, vf, port))
		return -EINVAL;
	to_dev(ib)->vf[vf][port - 1].link = st;
	return 0;
}

int sh_get_vf_config(struct ib_device *ib, int vf, u32 port, struct ifla_vf_info *i)
{
	if (sh_vf_bad(ib, vf, port))
		return -EINVAL;
	memset(i, 0, sizeof(*i));
	i->linkstate = to_dev(ib)->vf[vf][port - 1].link;
	return 0;
}

int sh_get_vf_stats(struct ib_device *ib, int vf, u32 port, struct ifla_vf_stats *s)
{
	memset(s, 0, sizeof(*s));
	return 0;
}

int sh_get_vf_guid(struct ib_device *ib, int vf, u32 port, struct ifla_vf_guid *node, struct ifla_vf_guid *pg)
{
	if (sh_vf_bad(ib, vf, port))
		return -EINVAL;
	node->vf = pg->vf = vf;
	node->guid = to_dev(ib)->vf[vf][port - 1].node_guid;
	pg->guid = to_dev(ib)->vf[vf][port - 1].port_guid;
	return 0;
}

int sh_set_vf_guid(struct ib_device *ib, int vf, u32 port, u64 guid, int type)
{
	if (sh_vf_bad(ib, vf, port))
		return -EINVAL;
	pr_info("softhca: %s port %u vf %d %s guid %016llx\n", dev_name(&ib->dev), port, vf,
		type == IFLA_VF_IB_NODE_GUID ? "node" : "port", guid);
	if (type == IFLA_VF_IB_NODE_GUID)
		to_dev(ib)->vf[vf][port - 1].node_guid = guid;
	else if (type == IFLA_VF_IB_PORT_GUID)
		to_dev(ib)->vf[vf][port - 1].port_guid = guid;
	else
		return -EINVAL;
	return 0;
}

/* An HCA with one port. Its driver reads the GUIDs now and not again; without one the port stays down. */
int sh_vf_add(struct pci_dev *pdev)
{
	int i, owner = sh_pci_vf_owner(pdev), number = PCI_FUNC(pdev->devfn);
	struct sh_vf vf = {};

	mutex_lock(&sh_devs_lock);
	if (owner >= 0 && owner < sh_hca_count() && sh_devs[owner])
		vf = sh_devs[owner]->vf[number][0];
	for (i = sh_hca_count(); i < SH_MAX_HCA && sh_devs[i]; i++)
		;
	mutex_unlock(&sh_devs_lock);
	return i < SH_MAX_HCA ? sh_dev_add(i, pdev, &vf) : -ENOSPC;
}
