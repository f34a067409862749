// SPDX-License-Identifier: GPL-2.0
/*
 * The subnet administrator at LID SH_SM_LID: replies to queries of ib_sa.
 * Serves PathRecord, MCMemberRecord and ClassPortInfo queries (IBA chapter 15) on QP1.
 */
#include "softhca.h"

static bool sm_absent;
module_param(sm_absent, bool, 0644);
MODULE_PARM_DESC(sm_absent, "the subnet manager and its administrator do not answer");

bool sh_sa_answers(void)
{
	return !sm_absent;
}

struct wire_path {
	__be64 service_id;
	u8 dgid[16], sgid[16];
	__be16 dlid, slid;
	__be32 raw_flow_hop;
	u8 tclass, rev_numb;
	__be16 pkey, qos_sl;
	u8 mtu, rate, plt, pref, resv[6];
} __packed;

static __be16 sa_path(struct sh_port *from, ib_sa_comp_mask mask, struct wire_path *w)
{
	struct sh_port *to = NULL;
	union ib_gid g;
	u16 pkey, i, both = 0;

	if (mask & IB_SA_PATH_REC_DGID) {
		memcpy(&g, w->dgid, 16);
		to = sh_port_by_gid(&g);
	} else if (mask & IB_SA_PATH_REC_DLID) {
		to = sh_port_by_lid(be16_to_cpu(w->dlid));
	}
	if (!to || to->state != IB_PORT_ACTIVE)
		return SH_SA_NO_RECORDS;
	pkey = mask & IB_SA_PATH_REC_PKEY ? be16_to_cpu(w->pkey) : 0xffff;
	for (i = 0; i < from->pkey_len; i++)
		if (((from->pkey[i] ^ pkey) & 0x7fff) == 0)
			both |= 1;
	for (i = 0; i < to->pkey_len; i++)
		if (((to->pkey[i] ^ pkey) & 0x7fff) == 0)
			both |= 2;
	if (both != 3)
		return SH_SA_NO_RECORDS;
	g.global.subnet_prefix = cpu_to_be64(to->prefix);
	g.global.interface_id = cpu_to_be64(to->guid);
	memcpy(w->dgid, &g, 16);
	g.global.subnet_prefix = cpu_to_be64(from->prefix);
	g.global.interface_id = cpu_to_be64(from->guid);
	memcpy(w->sgid, &g, 16);
	w->dlid = cpu_to_be16(to->lid);
	w->slid = cpu_to_be16(from->lid);
	w->raw_flow_hop = 0;
	w->tclass = 0;
	w->rev_numb = 0x80 | 1;
	w->pkey = cpu_to_be16(pkey | 0x8000);
	w->qos_sl = 0;
	w->mtu = IB_SA_EQ << 6 | min(from->active_mtu, to->active_mtu);
	w->rate = IB_SA_EQ << 6 | IB_RATE_40_GBPS;
	w->plt = IB_SA_EQ << 6 | 16;
	w->pref = 0;
	return 0;
}

void sh_sa_receive(struct sh_port *from, const struct sh_pkt *p)
{
	struct ib_sa_mad *m;
	struct sh_pkt r = {};
	struct sh_qp *qp;
	u8 method;
	__be16 st = SH_SA_UNSUPPORTED;

	if (sm_absent || !from->sm_lid || p->len != sizeof(*m))
		return;
	m = kmemdup(p->data, sizeof(*m), GFP_KERNEL);
	if (!m)
		return;
	method = m->mad_hdr.method;
	if (m->mad_hdr.mgmt_class != IB_MGMT_CLASS_SUBN_ADM || (method & IB_MGMT_METHOD_RESP))
		goto out;
	pr_debug("softhca: SA method %02x attr %04x from lid %u\n", method, be16_to_cpu(m->mad_hdr.attr_id),
		 from->lid);
	switch (be16_to_cpu(m->mad_hdr.attr_id)) {
	case IB_SA_ATTR_MC_MEMBER_REC:
		st = sh_mcgroup_request(from, method, m->sa_hdr.comp_mask, (void *)m->data);
		m->sa_hdr.attr_offset = cpu_to_be16(sizeof(struct sh_wire_mcm) / 8);
		break;
	case IB_SA_ATTR_PATH_REC:
		if (method == IB_MGMT_METHOD_GET)
			st = sa_path(from, m->sa_hdr.comp_mask, (void *)m->data);
		m->sa_hdr.attr_offset = cpu_to_be16(sizeof(struct wire_path) / 8);
		break;
	case IB_SA_ATTR_CLASS_PORTINFO: {
		struct ib_class_port_info *c = (void *)m->data;

		if (method != IB_MGMT_METHOD_GET)
			break;
		memset(m->data, 0, sizeof(m->data));
		c->base_version = 1;
		c->class_version = 2;
		c->cap_mask2_resp_time = cpu_to_be32(IB_SA_CAP_MASK2_SENDONLY_FULL_MEM_SUPPORT
							     << IB_CLASS_PORT_INFO_RESP_TIME_FIELD_SIZE |
						     16);
		st = 0;
		break;
	}
	}
	m->mad_hdr.method = method == IB_MGMT_METHOD_SET ? IB_MGMT_METHOD_GET_RESP
							 : method | IB_MGMT_METHOD_RESP;
	m->mad_hdr.status = st;
	r.slid = SH_SM_LID;
	r.dlid = from->lid;
	r.pkey = p->pkey;
	r.sqpn = r.dqpn = 1;
	r.qkey = IB_QP1_QKEY;
	r.data = (u8 *)m;
	r.len = sizeof(*m);
	qp = sh_qp_find(from, 1);
	if (qp) {
		sh_deliver(from, qp, &r);
		sh_qp_put(qp);
	}
out:
	kfree(m);
}
