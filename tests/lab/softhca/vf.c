// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual functions: the values that ib_ipoib passes on from `ip link set ... vf`, and the HCA of a virtual
 * function. Serves set_vf_guid, get_vf_guid, set_vf_link_state, get_vf_config and get_vf_stats.
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

/* Makes an HCA with one port. The driver reads the GUIDs only now; without a GUID the port stays Down. */
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
