// SPDX-License-Identifier: GPL-2.0
/*
 * Protection domains, address handles, memory regions. Kernel users pass plain kernel addresses
 * (no DMA mapping), so regions need no state.
 * Serves alloc_pd, create_ah, get_dma_mr and their counterparts.
 */
#include "softhca.h"

int sh_alloc_pd(struct ib_pd *pd, struct ib_udata *u)
{
	return 0;
}

int sh_dealloc_pd(struct ib_pd *pd, struct ib_udata *u)
{
	return 0;
}

int sh_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *a, struct ib_udata *u)
{
	to_ah(ah)->attr = *a->ah_attr;
	return 0;
}

int sh_query_ah(struct ib_ah *ah, struct rdma_ah_attr *a)
{
	*a = to_ah(ah)->attr;
	return 0;
}

int sh_destroy_ah(struct ib_ah *ah, u32 flags)
{
	return 0;
}

struct ib_mr *sh_get_dma_mr(struct ib_pd *pd, int acc)
{
	struct sh_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->ib.lkey = mr->ib.rkey = 1;
	return &mr->ib;
}

struct ib_mr *sh_reg_user_mr(struct ib_pd *pd, u64 s, u64 l, u64 v, int acc, struct ib_udata *u)
{
	return ERR_PTR(-EOPNOTSUPP);
}

int sh_dereg_mr(struct ib_mr *mr, struct ib_udata *u)
{
	kfree(container_of(mr, struct sh_mr, ib));
	return 0;
}
