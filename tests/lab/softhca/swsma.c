// SPDX-License-Identifier: GPL-2.0
/*
 * The switch's subnet management agent (IBA chapter 14), and the SMInfo of the built-in subnet manager.
 * Serves switch.c.
 */
#include "switch.h"

struct switch_info { /* IBA 14.2.5.4 */
	__be16 lft_cap, rft_cap, mft_cap, lft_top;
	u8 default_port, mcast_primary, mcast_other;
	u8 lifetime_change; /* 5 bits, PortStateChange, 2 bits */
	__be16 lids_per_port, enforcement_cap;
	u8 flags, resv;
	__be16 mft_top;
} __packed;

struct sm_info { /* IBA 14.2.5.13 */
	__be64 guid, sm_key;
	__be32 activity;
	u8 priority_state;
} __packed;

static void node_info(struct ib_node_info *ni, u32 in)
{
	ni->base_version = ni->class_version = 1;
	ni->node_type = 2;
	ni->num_ports = SH_SW_PORTS;
	ni->sys_guid = ni->node_guid = ni->port_guid = cpu_to_be64(SH_SW_GUID);
	ni->partition_cap = cpu_to_be16(SH_SW_PKEYS);
	ni->device_id = cpu_to_be16(0xbd36);
	ni->local_port_num = in;
	ni->vendor_id[1] = 0x02;
	ni->vendor_id[2] = 0xc9;
}

static void port_info(struct ib_port_info *pi, u32 port, u32 in)
{
	struct sh_sw_port *w = &sh_sw.port[port];
	struct sh_port *peer = sh_switch_peer(port);

	*pi = w->info;
	pi->local_port_num = in;
	sh_portinfo_state(pi, w->state, sh_sm_builtin() && peer ? peer->active_mtu : w->mtu);
	if (w->disabled)
		pi->portphysstate_linkdown = 3 << 4 | (pi->portphysstate_linkdown & 0xf);
	if (!port) {
		pi->lid = cpu_to_be16(sh_sw.lid);
		pi->sm_lid = cpu_to_be16(sh_sw.sm_lid);
		pi->cap_mask = cpu_to_be32(IB_PORT_TRAP_SUP | IB_PORT_SYS_IMAGE_GUID_SUP |
					   (sh_sm_builtin() ? IB_PORT_SM : 0));
		pi->gid_prefix = w->info.gid_prefix ?: cpu_to_be64(0xfe80000000000000ULL);
	}
}

static __be16 set_port_info(const struct ib_port_info *want, u32 port)
{
	struct sh_sw_port *w = &sh_sw.port[port];
	u8 mtu = want->neighbormtu_mastersmsl >> 4, state = want->linkspeed_portstate & 0xf;
	u8 phys = want->portphysstate_linkdown >> 4;
	enum ib_port_state next;

	if (mtu > IB_MTU_4096 || !sh_port_next_state(w->state, port ? state : 0, &next))
		return SH_SMP_INVALID;
	sh_portinfo_store(&w->info, want);
	if (mtu)
		w->mtu = mtu;
	if (!port) {
		sh_sw.lid = be16_to_cpu(want->lid);
		sh_sw.sm_lid = be16_to_cpu(want->sm_lid);
		w->info.gid_prefix = want->gid_prefix;
	} else if (phys == 2 || phys == 3) { /* Polling, Disabled */
		sh_switch_enable(port, phys == 2);
	} else if (state == IB_PORT_DOWN) {
		sh_switch_retrain(port);
	} else {
		w->state = next;
	}
	return 0;
}

static void switch_info(struct switch_info *si)
{
	si->lft_cap = cpu_to_be16(SH_SW_LFT);
	si->mft_cap = cpu_to_be16(SH_SW_MFT);
	si->lft_top = cpu_to_be16(sh_sm_builtin() ? SH_SM_LID : sh_sw.lft_top);
	si->default_port = sh_sw.default_port;
	si->mcast_primary = sh_sw.mcast_primary;
	si->mcast_other = sh_sw.mcast_other;
	si->lifetime_change = sh_sw.lifetime << 3 | sh_sw.changed << 2;
	si->mft_top = cpu_to_be16(sh_sw.mft_top);
}

static void set_switch_info(const struct switch_info *si)
{
	sh_sw.lft_top = be16_to_cpu(si->lft_top);
	sh_sw.default_port = si->default_port;
	sh_sw.mcast_primary = si->mcast_primary;
	sh_sw.mcast_other = si->mcast_other;
	sh_sw.lifetime = si->lifetime_change >> 3;
	sh_sw.mft_top = be16_to_cpu(si->mft_top);
	if (si->lifetime_change & 4) /* cleared by the subnet manager */
		sh_sw.changed = false;
}

static u8 lft(u32 lid)
{
	struct sh_port *p;

	if (!sh_sm_builtin())
		return sh_sw.lft[lid];
	if (lid == sh_sw.lid)
		return 0;
	p = lid ? sh_port_by_lid(lid) : NULL;
	return p ? sh_switch_port(p) : 0xff;
}

/* Copies a block of 32 LIDs and 16 ports (IBA 14.2.5.12) from, or into, the data of a packet. */
static __be16 mft(struct ib_smp *s, bool set)
{
	u32 mod = be32_to_cpu(s->attr_mod), first = (mod & 0x1ff) * 32, shift = (mod >> 28) * 16, i;
	__be16 *to = (void *)s->data;

	if (first >= SH_SW_MFT || shift > SH_SW_PORTS)
		return SH_SMP_INVALID;
	for (i = 0; i < 32; i++) {
		u32 *entry = &sh_sw.mft[first + i];

		if (set)
			*entry = (*entry & ~(0xffffU << shift)) | (u32)be16_to_cpu(to[i]) << shift;
		to[i] = cpu_to_be16(*entry >> shift);
	}
	return 0;
}

static __be16 sm_info(struct sm_info *i)
{
	if (!sh_sm_builtin())
		return SH_SMP_UNSUPPORTED;
	i->guid = cpu_to_be64(SH_SW_GUID);
	i->activity = cpu_to_be32(ktime_get_seconds());
	i->priority_state = 14 << 4 | 3; /* master */
	return 0;
}

/* Returns 0, or the status of the reply. */
static __be16 attribute(struct ib_smp *s, u32 in, bool set)
{
	u32 mod = be32_to_cpu(s->attr_mod), i;
	struct sh_sw_port *w = &sh_sw.port[mod & 0xff];
	__be16 st = 0;
	u8 *table;

	if (!set && s->attr_id != IB_SMP_ATTR_MCAST_FORWARD_TABLE)
		memset(s->data, 0, sizeof(s->data));
	switch (s->attr_id) {
	case IB_SMP_ATTR_NODE_DESC:
		strscpy(s->data, "softhca switch", sizeof(s->data));
		return set ? SH_SMP_UNSUPPORTED : 0;
	case IB_SMP_ATTR_NODE_INFO:
		node_info((void *)s->data, in);
		return set ? SH_SMP_UNSUPPORTED : 0;
	case IB_SMP_ATTR_SM_INFO:
		return set ? SH_SMP_UNSUPPORTED : sm_info((void *)s->data);
	case IB_SMP_ATTR_SWITCH_INFO:
		if (set)
			set_switch_info((void *)s->data);
		switch_info((void *)s->data);
		return 0;
	case IB_SMP_ATTR_PORT_INFO:
		if (mod > SH_SW_PORTS)
			return SH_SMP_INVALID;
		if (set)
			st = set_port_info((void *)s->data, mod);
		port_info((void *)s->data, mod, in);
		return st;
	case IB_SMP_ATTR_LINEAR_FORWARD_TABLE:
		if (mod >= SH_SW_LFT / 64)
			return SH_SMP_INVALID;
		if (set)
			memcpy(&sh_sw.lft[mod * 64], s->data, 64);
		for (i = 0; i < 64; i++)
			s->data[i] = lft(mod * 64 + i);
		return 0;
	case IB_SMP_ATTR_MCAST_FORWARD_TABLE:
		return mft(s, set);
	case IB_SMP_ATTR_PKEY_TABLE: /* only of port 0: the other ports do not enforce partitions */
		for (i = 0; set && !mod && i < SH_SW_PKEYS; i++)
			sh_sw.pkey[i] = be16_to_cpu(((__be16 *)s->data)[i]);
		for (i = 0; i < SH_SW_PKEYS; i++)
			((__be16 *)s->data)[i] = cpu_to_be16(mod ? 0 : sh_sw.pkey[i]);
		return 0;
	case IB_SMP_ATTR_GUID_INFO:
		*(__be64 *)s->data = cpu_to_be64(SH_SW_GUID);
		return set ? SH_SMP_UNSUPPORTED : 0;
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		if ((mod & 0xff) > SH_SW_PORTS || (mod >> 8 & 0xff) > SH_SW_PORTS)
			return SH_SMP_INVALID;
		table = w->sl2vl[mod >> 8 & 0xff];
		memcpy(set ? table : s->data, set ? s->data : table, sizeof(w->sl2vl[0]));
		return 0;
	case IB_SMP_ATTR_VL_ARB_TABLE:
		if ((mod & 0xff) > SH_SW_PORTS || mod >> 16 < 1 || mod >> 16 > 4)
			return SH_SMP_INVALID;
		table = w->vlarb[(mod >> 16) - 1];
		memcpy(set ? table : s->data, set ? s->data : table, sizeof(w->vlarb[0]));
		return 0;
	}
	return SH_SMP_UNSUPPORTED;
}

/* Replaces a request by its reply. Returns false if there is no reply. in: the port that received it. */
bool sh_switch_sma(struct ib_smp *s, u32 in)
{
	bool set = s->method == IB_MGMT_METHOD_SET;

	if (!set && s->method != IB_MGMT_METHOD_GET)
		return false;
	if (s->attr_id == IB_SMP_ATTR_SM_INFO && sh_sm_builtin() && !sh_sa_answers())
		return false;
	s->status |= set && sh_sm_builtin() ? SH_SMP_UNSUPPORTED : attribute(s, in, set);
	s->method = IB_MGMT_METHOD_GET_RESP;
	return true;
}
