// SPDX-License-Identifier: GPL-2.0
/*
 * The replies of an HCA's firmware to subnet management packets (IBA chapter 14); smpset.c has the sets.
 * Serves process_mad; performance counters are in pma.c.
 */
#include "softhca.h"

static void node_info(struct sh_dev *d, u32 n, struct ib_node_info *ni)
{
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
}

/* n: the port that received the request. Returns 0, or the status of the reply. */
static __be16 get(struct sh_dev *d, u32 n, struct ib_smp *s)
{
	u32 mod = be32_to_cpu(s->attr_mod), i, k;
	struct sh_port *p = &d->port[n - 1];

	memset(s->data, 0, sizeof(s->data));
	switch (s->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		memcpy(s->data, d->ib.node_desc, 64);
		return 0;
	case IB_SMP_ATTR_NODE_INFO:
		node_info(d, n, (void *)s->data);
		return 0;
	case IB_SMP_ATTR_PORT_INFO:
		if (mod > d->nports)
			break;
		sh_portinfo_get(mod ? &d->port[mod - 1] : p, n, (void *)s->data);
		return 0;
	case IB_SMP_ATTR_GUID_INFO:
		for (i = 0; i < 8 && (k = mod * 8 + i) < SH_MAX_GID; i++)
			((__be64 *)s->data)[i] = cpu_to_be64(p->gid_id[k]);
		return 0;
	case IB_SMP_ATTR_PKEY_TABLE:
		for (i = 0; i < 32 && (k = (mod & 0xffff) * 32 + i) < p->pkey_len; i++)
			((__be16 *)s->data)[i] = cpu_to_be16(p->pkey[k]);
		return 0;
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		memcpy(s->data, p->sl2vl, sizeof(p->sl2vl));
		return 0;
	case IB_SMP_ATTR_VL_ARB_TABLE:
		if (mod >> 16 < 1 || mod >> 16 > 4)
			return SH_SMP_INVALID;
		memcpy(s->data, p->vlarb[(mod >> 16) - 1], sizeof(p->vlarb[0]));
		return 0;
	}
	return SH_SMP_UNSUPPORTED;
}

static int smp(struct sh_dev *d, u32 n, struct ib_smp *s)
{
	bool rereg = s->attr_id == IB_SMP_ATTR_PORT_INFO &&
		     ((struct ib_port_info *)s->data)->clientrereg_resv_subnetto & 0x80;
	__be16 st = 0;

	if (s->attr_id == IB_SMP_ATTR_SM_INFO)
		return IB_MAD_RESULT_SUCCESS; /* for the subnet manager at this port */
	if (s->method == IB_MGMT_METHOD_SET && !sh_sm_builtin())
		st = sh_smp_set(d, n, s);
	else if (s->method != IB_MGMT_METHOD_GET)
		return IB_MAD_RESULT_SUCCESS;
	if (!st)
		st = get(d, n, s);
	if (s->method == IB_MGMT_METHOD_SET && rereg)
		((struct ib_port_info *)s->data)->clientrereg_resv_subnetto |= 0x80;
	s->status |= st;
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
