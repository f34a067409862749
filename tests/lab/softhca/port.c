// SPDX-License-Identifier: GPL-2.0
/*
 * The ports: LID, GIDs, P_Key table, MTU, state.
 * Serves query_port, query_gid, query_pkey, get_port_immutable and ib_dispatch_event().
 */
#include "softhca.h"

static uint ports[SH_MAX_HCA] = { 2 };
static int nports = 1;
module_param_array(ports, uint, &nports, 0444);
MODULE_PARM_DESC(ports, "ports of the HCA, 1 or 2");

static ushort pkeys[SH_MAX_PKEY] = { 0xffff, 0x8001, 0x8002, 0x8003, 0x0004 };
static int npkeys = 5;
module_param_array(pkeys, ushort, &npkeys, 0); /* not in sysfs: param_array_get() would write beyond a page */
MODULE_PARM_DESC(pkeys, "P_Key table of every port");

static uint pkey_len = 128;
module_param(pkey_len, uint, 0444);
MODULE_PARM_DESC(pkey_len, "entries of the P_Key table");

static uint max_mtu[SH_MAX_HCA] = { 4096 };
static int nmax_mtu = 1;
module_param_array(max_mtu, uint, &nmax_mtu, 0444);
MODULE_PARM_DESC(max_mtu, "largest InfiniBand MTU of the HCA's ports");

static uint active_mtu[SH_MAX_HCA] = { 2048 };
static int nactive_mtu = 1;
module_param_array(active_mtu, uint, &nactive_mtu, 0444);
MODULE_PARM_DESC(active_mtu, "InfiniBand MTU in use at the HCA's ports");

static bool init_down;
module_param(init_down, bool, 0444);
MODULE_PARM_DESC(init_down, "ports start in state Down");

static unsigned long long gid_prefix = 0xfe80000000000000ULL;
module_param(gid_prefix, ullong, 0444);
MODULE_PARM_DESC(gid_prefix, "subnet prefix of every port");

static bool plane[SH_MAX_HCA];
static int nplane = 1;
module_param_array(plane, bool, &nplane, 0444);
MODULE_PARM_DESC(plane,
		 "the HCA is the subnet management device of the HCA before; its ports are the planes");

bool sh_port_is_plane(int index)
{
	return index > 0 && index < nplane && plane[index];
}

static bool mtu_ok(uint mtu)
{
	return mtu == 256 || mtu == 512 || mtu == 1024 || mtu == 2048 || mtu == 4096;
}

int sh_port_check(void)
{
	int i;

	for (i = 0; i < SH_MAX_HCA; i++) {
		uint n = SH_KNOB(ports, i), max = SH_KNOB(max_mtu, i), active = SH_KNOB(active_mtu, i);

		if (!n || n > SH_MAX_PORT || !mtu_ok(max) || !mtu_ok(active) || active > max) {
			pr_err("softhca: HCA %d: %u ports, max_mtu %u, active_mtu %u: not possible\n", i, n,
			       max, active);
			return -EINVAL;
		}
	}
	if (pkey_len > SH_MAX_PKEY || npkeys > pkey_len) {
		pr_err("softhca: %d pkeys, pkey_len %u: at most %d\n", npkeys, pkey_len, SH_MAX_PKEY);
		return -EINVAL;
	}
	return 0;
}

uint sh_port_count(int index)
{
	return SH_KNOB(ports, index);
}

uint sh_port_pkey_len(void)
{
	return pkey_len;
}

void sh_port_setup(struct sh_dev *d, int i)
{
	struct sh_port *p = &d->port[i];

	p->dev = d;
	p->num = i + 1;
	if (sh_sm_builtin()) {
		p->lid = d->index * 16 + i + 1;
		p->sm_lid = SH_SM_LID;
	}
	p->prefix = gid_prefix;
	p->guid = be64_to_cpu(d->ib.node_guid) + i + 1;
	p->eth = sh_eth_wanted(d->index, i);
	if (p->eth) {
		p->state = IB_PORT_DOWN;
		p->pkey_len = 1;
		p->pkey[0] = 0xffff;
		p->lid = p->sm_lid = 0;
		return;
	}
	p->plane = sh_port_is_plane(d->index);
	if (p->plane)
		p->guid = be64_to_cpu(sh_node_guid(d->index - 1)) + 1;
	if (sh_port_is_plane(d->index + 1))
		p->caps |= IB_PORT_SM_DISABLED;
	p->gid_id[0] = p->guid;
	p->state = init_down ? IB_PORT_DOWN : sh_sm_builtin() ? IB_PORT_ACTIVE : IB_PORT_INIT;
	p->max_mtu = ib_mtu_int_to_enum(SH_KNOB(max_mtu, d->index));
	p->active_mtu = ib_mtu_int_to_enum(SH_KNOB(active_mtu, d->index));
	p->pkey_len = pkey_len;
	sh_portinfo_init(&p->info, p->max_mtu);
	if (sh_sm_builtin())
		memcpy(p->pkey, pkeys, npkeys * sizeof(pkeys[0]));
	else
		p->pkey[0] = 0xffff; /* the value after a reset; the subnet manager writes the rest */
}

/* A port without a GUID has no link. */
void sh_port_of_vf(struct sh_port *p, u64 guid)
{
	p->guid = p->gid_id[0] = guid;
	if (!guid)
		p->state = IB_PORT_DOWN;
}

/* Devices appear and disappear only at module load and unload, and by PCI bind and unbind. */
struct sh_port *sh_port_by_lid(u16 lid)
{
	int i, j;

	for (i = 0; i < SH_MAX_HCA; i++) {
		struct sh_dev *d = READ_ONCE(sh_devs[i]);

		for (j = 0; d && j < d->nports; j++)
			if (lid && d->port[j].lid == lid)
				return &d->port[j];
	}
	return NULL;
}

struct sh_port *sh_port_by_gid(const union ib_gid *gid)
{
	int i, j, k;

	for (i = 0; i < SH_MAX_HCA; i++) {
		struct sh_dev *d = READ_ONCE(sh_devs[i]);

		for (j = 0; d && j < d->nports; j++)
			for (k = 0; k < SH_MAX_GID; k++)
				if (d->port[j].gid_id[k] &&
				    d->port[j].gid_id[k] == be64_to_cpu(gid->global.interface_id) &&
				    d->port[j].prefix == be64_to_cpu(gid->global.subnet_prefix))
					return &d->port[j];
	}
	return NULL;
}

void sh_port_event(struct sh_port *p, enum ib_event_type t)
{
	struct ib_event ev = { .device = &p->dev->ib, .element.port_num = p->num, .event = t };

	ib_dispatch_event(&ev);
}

/* Two P_Keys match: same partition, at least one full member. */
bool sh_pkey_match(u16 a, u16 b)
{
	return (a & 0x7fff) && (a & 0x7fff) == (b & 0x7fff) && ((a | b) & 0x8000);
}

bool sh_port_has_pkey(struct sh_port *p, u16 pkey, u16 *idx)
{
	u16 i;

	for (i = 0; i < p->pkey_len; i++)
		if (sh_pkey_match(p->pkey[i], pkey)) {
			*idx = i;
			return true;
		}
	return false;
}

int sh_query_port(struct ib_device *ib, u32 n, struct ib_port_attr *a)
{
	struct sh_port *p = &to_dev(ib)->port[n - 1];

	sh_firmware_request();
	if (p->eth) {
		sh_eth_query(p, a);
		return 0;
	}
	a->state = p->state;
	a->phys_state = p->state == IB_PORT_DOWN ? IB_PORT_PHYS_STATE_POLLING : IB_PORT_PHYS_STATE_LINK_UP;
	a->max_mtu = p->max_mtu;
	a->active_mtu = p->active_mtu;
	a->gid_tbl_len = SH_MAX_GID;
	a->pkey_tbl_len = p->pkey_len;
	a->port_cap_flags = SH_PORT_CAPS | p->caps;
	a->max_msg_sz = 1 << 30;
	a->lid = p->lid;
	a->lmc = p->info.mkeyprot_resv_lmc & 7;
	a->sm_lid = p->sm_lid;
	a->sm_sl = p->info.neighbormtu_mastersmsl & 0xf;
	a->max_vl_num = 4;
	a->subnet_timeout = p->info.clientrereg_resv_subnetto & 0x1f;
	a->active_width = p->info.link_width_active;
	a->active_speed = p->state == IB_PORT_DOWN ? IB_SPEED_SDR : p->info.linkspeedactive_enabled >> 4;
	a->subnet_prefix = p->prefix;
	return 0;
}

int sh_immutable(struct ib_device *ib, u32 n, struct ib_port_immutable *im)
{
	struct sh_port *p = &to_dev(ib)->port[n - 1];

	im->pkey_tbl_len = p->pkey_len;
	im->gid_tbl_len = SH_MAX_GID;
	im->core_cap_flags = p->eth	? sh_eth_caps(p)
			     : p->plane ? RDMA_CORE_CAP_IB_MAD | RDMA_CORE_CAP_IB_SMI | RDMA_CORE_CAP_IB_CM
					: RDMA_CORE_PORT_IBA_IB;
	im->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

enum rdma_link_layer sh_link_layer(struct ib_device *ib, u32 n)
{
	return to_dev(ib)->port[n - 1].eth ? IB_LINK_LAYER_ETHERNET : IB_LINK_LAYER_INFINIBAND;
}

int sh_query_gid(struct ib_device *ib, u32 n, int i, union ib_gid *g)
{
	struct sh_port *p = &to_dev(ib)->port[n - 1];

	if (i < 0 || i >= SH_MAX_GID)
		return -EINVAL;
	memset(g, 0, sizeof(*g));
	if (p->gid_id[i] || i == 0) { /* entry 0 has the prefix even without a GUID (virtual function) */
		g->global.subnet_prefix = cpu_to_be64(p->prefix);
		g->global.interface_id = cpu_to_be64(p->gid_id[i]);
	}
	return 0;
}

int sh_query_pkey(struct ib_device *ib, u32 n, u16 i, u16 *k)
{
	struct sh_port *p = &to_dev(ib)->port[n - 1];

	if (i >= p->pkey_len)
		return -EINVAL;
	sh_firmware_request();
	*k = p->pkey[i];
	return 0;
}

/* A subnet manager sets or clears IsSM when it starts or ends at the port (/dev/infiniband/issm*). */
int sh_modify_port(struct ib_device *ib, u32 n, int mask, struct ib_port_modify *m)
{
	struct sh_port *p = &to_dev(ib)->port[n - 1];

	p->caps = (p->caps | m->set_port_cap_mask) & ~m->clr_port_cap_mask;
	return 0;
}
