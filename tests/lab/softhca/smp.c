// SPDX-License-Identifier: GPL-2.0
/*
 * What an HCA's firmware answers to subnet management packets (IBA chapter 14).
 * Serves process_mad; performance counters are in pma.c.
 */
#include "softhca.h"

static int smp(struct sh_dev *d, u32 n, struct ib_smp *s)
{
	struct sh_port *p;
	u32 mod = be32_to_cpu(s->attr_mod), i;

	if (s->method != IB_MGMT_METHOD_GET)
		return IB_MAD_RESULT_SUCCESS;
	memset(s->data, 0, sizeof(s->data));
	switch (s->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		memcpy(s->data, d->ib.node_desc, 64);
		break;
	case IB_SMP_ATTR_NODE_INFO: {
		struct ib_node_info *ni = (void *)s->data;

		ni->base_version = ni->class_version = 1;
		ni->node_type = 1;
		ni->num_ports = d->nports;
		ni->sys_guid = d->ib.attrs.sys_image_guid;
		ni->node_guid = d->ib.node_guid;
		ni->port_guid = cpu_to_be64(d->port[n - 1].guid);
		ni->partition_cap = cpu_to_be16(d->port[n - 1].pkey_len);
		ni->device_id = cpu_to_be16(d->ib.attrs.vendor_part_id);
		ni->revision = cpu_to_be32(d->ib.attrs.hw_ver);
		ni->local_port_num = n;
		ni->vendor_id[1] = 0x02;
		ni->vendor_id[2] = 0xc9;
		break;
	}
	case IB_SMP_ATTR_PORT_INFO: {
		struct ib_port_info *pi = (void *)s->data;

		if (!mod)
			mod = n;
		if (mod > d->nports)
			goto bad;
		p = &d->port[mod - 1];
		pi->gid_prefix = cpu_to_be64(p->prefix);
		pi->lid = cpu_to_be16(p->lid);
		pi->sm_lid = cpu_to_be16(p->sm_lid);
		pi->cap_mask =
			cpu_to_be32(IB_PORT_SYS_IMAGE_GUID_SUP | IB_PORT_CM_SUP | IB_PORT_CLIENT_REG_SUP);
		pi->local_port_num = n;
		pi->link_width_enabled = pi->link_width_supported = 3;
		pi->link_width_active = IB_WIDTH_4X;
		pi->linkspeed_portstate = 7 << 4 | p->state;
		pi->portphysstate_linkdown = (p->state == IB_PORT_DOWN ? 2 : 5) << 4 | 2;
		pi->linkspeedactive_enabled = 4 << 4 | 7;
		pi->neighbormtu_mastersmsl = p->active_mtu << 4;
		pi->vlcap_inittype = 3 << 4;
		pi->inittypereply_mtucap = p->max_mtu;
		pi->operationalvl_pei_peo_fpi_fpo = 3 << 4;
		pi->guid_cap = 1;
		pi->clientrereg_resv_subnetto = 18;
		break;
	}
	case IB_SMP_ATTR_GUID_INFO:
		for (i = 0; i < 8 && i < SH_MAX_GID; i++)
			((__be64 *)s->data)[i] = cpu_to_be64(d->port[n - 1].gid_id[i]);
		break;
	case IB_SMP_ATTR_PKEY_TABLE:
		for (i = 0; i < 32; i++) {
			u32 k = (mod & 0xffff) * 32 + i;

			((__be16 *)s->data)[i] =
				cpu_to_be16(k < d->port[n - 1].pkey_len ? d->port[n - 1].pkey[k] : 0);
		}
		break;
	default:
	bad:
		s->status |= cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	}
	s->method = IB_MGMT_METHOD_GET_RESP;
	if (s->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		s->status |= IB_SMP_DIRECTION;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

int sh_process_mad(struct ib_device *ib, int flags, u32 port, const struct ib_wc *wc,
		   const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out, size_t *out_size,
		   u16 *out_pkey)
{
	struct sh_dev *d = to_dev(ib);

	if (!port || port > d->nports)
		return IB_MAD_RESULT_FAILURE;
	switch (in->mad_hdr.mgmt_class) {
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
		*out = *in;
		return smp(d, port, (void *)out);
	case IB_MGMT_CLASS_PERF_MGMT:
		*out = *in;
		return sh_pma(d, port, (void *)out);
	}
	return IB_MAD_RESULT_SUCCESS;
}
