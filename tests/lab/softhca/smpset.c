// SPDX-License-Identifier: GPL-2.0
/*
 * The values that a subnet manager sets in an HCA: PortInfo, P_Key and GUID tables, service level and
 * arbitration tables. Serves the HCA's subnet management agent (smp.c).
 */
#include "softhca.h"

/* Sets a block of 32 P_Keys. Raises one event for each port, and none without a change. */
static __be16 set_pkeys(struct sh_port *p, u32 block, const __be16 *keys)
{
	bool is_new = false;
	u32 i, k;

	if (block * 32 >= p->pkey_len)
		return SH_SMP_INVALID;
	for (i = 0; i < 32 && (k = block * 32 + i) < p->pkey_len; i++) {
		is_new |= p->pkey[k] != be16_to_cpu(keys[i]);
		p->pkey[k] = be16_to_cpu(keys[i]);
	}
	if (is_new)
		sh_port_event(p, IB_EVENT_PKEY_CHANGE);
	return 0;
}

/* Sets a block of 8 GUIDs. Entry 0 is the GUID of the port itself, and read-only. */
static __be16 set_guids(struct sh_port *p, u32 block, const __be64 *guids)
{
	bool is_new = false;
	u32 i, k;

	if (block * 8 >= SH_MAX_GID)
		return SH_SMP_INVALID;
	for (i = block ? 0 : 1; i < 8 && (k = block * 8 + i) < SH_MAX_GID; i++) {
		is_new |= p->gid_id[k] != be64_to_cpu(guids[i]);
		p->gid_id[k] = be64_to_cpu(guids[i]);
	}
	if (is_new)
		sh_port_event(p, IB_EVENT_GID_CHANGE);
	return 0;
}

/* n: the port that received the request. Returns 0, or the status of the reply. */
__be16 sh_smp_set(struct sh_dev *d, u32 n, const struct ib_smp *s)
{
	u32 mod = be32_to_cpu(s->attr_mod);
	struct sh_port *p = &d->port[n - 1];

	switch (s->attr_id) {
	case IB_SMP_ATTR_PORT_INFO:
		if (mod > d->nports)
			return SH_SMP_INVALID;
		return sh_portinfo_set(mod ? &d->port[mod - 1] : p, (const void *)s->data);
	case IB_SMP_ATTR_PKEY_TABLE:
		return set_pkeys(p, mod & 0xffff, (const void *)s->data);
	case IB_SMP_ATTR_GUID_INFO:
		return set_guids(p, mod, (const void *)s->data);
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		memcpy(p->sl2vl, s->data, sizeof(p->sl2vl));
		return 0;
	case IB_SMP_ATTR_VL_ARB_TABLE:
		if (mod >> 16 < 1 || mod >> 16 > 4)
			return SH_SMP_INVALID;
		memcpy(p->vlarb[(mod >> 16) - 1], s->data, sizeof(p->vlarb[0]));
		return 0;
	}
	return SH_SMP_UNSUPPORTED;
}
