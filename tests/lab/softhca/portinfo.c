// SPDX-License-Identifier: GPL-2.0
/*
 * PortInfo (IBA 14.2.5.6): the values of a port that a subnet manager reads and sets.
 * Serves the agents of HCAs (smp.c, smpset.c) and of the switch (swsma.c).
 */
#include "softhca.h"

void sh_portinfo_init(struct ib_port_info *pi, enum ib_mtu max)
{
	pi->link_width_enabled = pi->link_width_supported = 3; /* 1X, 4X */
	pi->link_width_active = IB_WIDTH_4X;
	pi->linkspeed_portstate = 7 << 4;
	pi->portphysstate_linkdown = 2;
	pi->linkspeedactive_enabled = 4 << 4 | 7; /* QDR */
	pi->vlcap_inittype = 3 << 4;
	pi->vl_arb_high_cap = pi->vl_arb_low_cap = 8;
	pi->inittypereply_mtucap = max;
	pi->operationalvl_pei_peo_fpi_fpo = 3 << 4;
	pi->guid_cap = SH_MAX_GID;
	pi->clientrereg_resv_subnetto = 18;
}

static void set_part(u8 *to, u8 from, u8 mask)
{
	*to = (*to & ~mask) | (from & mask);
}

/* Copies the fields that a subnet manager may set, without zeros that mean "no change". The caller handles
 * state, LIDs and MTU. */
void sh_portinfo_store(struct ib_port_info *to, const struct ib_port_info *from)
{
	to->mkey = from->mkey;
	to->mkey_lease_period = from->mkey_lease_period;
	set_part(&to->mkeyprot_resv_lmc, from->mkeyprot_resv_lmc, 0xc7);
	if (from->link_width_enabled) /* or no change */
		to->link_width_enabled = from->link_width_enabled & to->link_width_supported;
	if (from->linkspeedactive_enabled & 0xf) /* or no change */
		set_part(&to->linkspeedactive_enabled,
			 from->linkspeedactive_enabled & to->linkspeed_portstate >> 4, 0xf);
	if (from->portphysstate_linkdown & 0xf) /* or no change */
		set_part(&to->portphysstate_linkdown, from->portphysstate_linkdown, 0xf);
	set_part(&to->neighbormtu_mastersmsl, from->neighbormtu_mastersmsl, 0xf);
	to->vl_high_limit = from->vl_high_limit;
	to->vlstallcnt_hoqlife = from->vlstallcnt_hoqlife;
	if (from->operationalvl_pei_peo_fpi_fpo >> 4) /* or no change */
		set_part(&to->operationalvl_pei_peo_fpi_fpo, from->operationalvl_pei_peo_fpi_fpo, 0xf0);
	set_part(&to->clientrereg_resv_subnetto, from->clientrereg_resv_subnetto, 0x1f);
	to->localphyerrors_overrunerrors = from->localphyerrors_overrunerrors;
}

void sh_portinfo_state(struct ib_port_info *pi, enum ib_port_state state, enum ib_mtu mtu)
{
	set_part(&pi->linkspeed_portstate, state, 0xf);
	set_part(&pi->portphysstate_linkdown, (state == IB_PORT_DOWN ? 2 : 5) << 4, 0xf0);
	set_part(&pi->neighbormtu_mastersmsl, mtu << 4, 0xf0);
}

/* Returns whether a subnet manager may set this PortState now. Down restarts the training of the link, which
 * ends in Init. */
bool sh_port_next_state(enum ib_port_state have, u8 want, enum ib_port_state *next)
{
	*next = want ? want : have;
	if (want == IB_PORT_DOWN && have != IB_PORT_DOWN)
		*next = IB_PORT_INIT;
	else if (want == IB_PORT_ARMED)
		return have == IB_PORT_INIT || have == IB_PORT_ARMED;
	else if (want == IB_PORT_ACTIVE)
		return have == IB_PORT_ARMED || have == IB_PORT_ACTIVE;
	return want <= IB_PORT_DOWN;
}

/* through: the number of the port that received the request */
void sh_portinfo_get(struct sh_port *p, u32 through, struct ib_port_info *pi)
{
	*pi = p->info;
	pi->gid_prefix = cpu_to_be64(p->prefix);
	pi->lid = cpu_to_be16(p->lid);
	pi->sm_lid = cpu_to_be16(p->sm_lid);
	pi->cap_mask = cpu_to_be32(SH_PORT_CAPS | p->caps);
	pi->local_port_num = through;
	sh_portinfo_state(pi, p->state, p->active_mtu);
}

/* Raises, for each change, the event that the driver of a real HCA raises. Any context. */
__be16 sh_portinfo_set(struct sh_port *p, const struct ib_port_info *want)
{
	u16 lid = be16_to_cpu(want->lid), sm_lid = be16_to_cpu(want->sm_lid);
	u64 prefix = be64_to_cpu(want->gid_prefix);
	u8 mtu = want->neighbormtu_mastersmsl >> 4;
	enum ib_port_state before = p->state, next;
	struct ib_port_info old = p->info;
	bool is_new;

	if (lid >= 0xc000 || sm_lid >= 0xc000 || mtu > p->max_mtu ||
	    !sh_port_next_state(before, want->linkspeed_portstate & 0xf, &next))
		return SH_SMP_INVALID;
	sh_portinfo_store(&p->info, want);
	if (mtu)
		p->active_mtu = mtu;
	if (p->prefix != prefix) {
		p->prefix = prefix;
		sh_port_event(p, IB_EVENT_GID_CHANGE);
	}
	is_new = p->lid != lid || (old.mkeyprot_resv_lmc ^ p->info.mkeyprot_resv_lmc) & 7;
	p->lid = lid;
	if (is_new)
		sh_port_event(p, IB_EVENT_LID_CHANGE);
	is_new = p->sm_lid != sm_lid || (old.neighbormtu_mastersmsl ^ p->info.neighbormtu_mastersmsl) & 0xf;
	p->sm_lid = sm_lid;
	if (is_new)
		sh_port_event(p, IB_EVENT_SM_CHANGE);
	p->state = next;
	if (next != before) {
		if (next == IB_PORT_ACTIVE)
			sh_port_event(p, IB_EVENT_PORT_ACTIVE);
		else if (before == IB_PORT_ACTIVE)
			sh_port_event(p, IB_EVENT_PORT_ERR);
		if (next == IB_PORT_INIT)
			sh_link_changed(p);
	}
	if (want->clientrereg_resv_subnetto & 0x80)
		sh_port_event(p, IB_EVENT_CLIENT_REREGISTER);
	return 0;
}
