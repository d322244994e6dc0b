/** The plan of this person that waits for approval, or one that anyone may answer. */
import { batch, computed, effect, signal } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { changedSince } from './chat-changed.ts'
import { addTurn, turns, update } from './chat-conversation.ts'
import { changedRowsOf } from './chat-rows.ts'
import { defaultTicks, toggled } from './chat-ticks.ts'
import { readPage, version, type Operation, type Page } from './draft.ts'
import { createOrder } from './newest.ts'
import { draftId } from './site.ts'
import { say } from './toast.ts'

type Plan = Omit<Answer<'GET /chat/plans/:id'>, 'ops'> & { readonly ops: readonly Operation[] }

export const plan = signal<Plan | undefined>(undefined)
/** The pages that the plan is about, as they are now. */
const pages = signal<readonly Page[]>([])
/** The places on them that others changed since. */
const changed = signal<ReadonlySet<string>>(new Set())

const beginPlan = createOrder()

/** Reads the plan that waits. One that no turn has asked for gets the given turn, or one of its own. */
export async function loadPlan(orphan?: number): Promise<void> {
  const isNewest = beginPlan()
  const query = draftId.value
  const planQuery = { ...query, client: sender().id }
  const { plans, outdated = [] } = await call('GET /chat/plans', { query: planQuery })
  for (const { id, reason } of outdated) noteOutdated(id, reason)
  const [waiting] = plans
  if (!waiting) {
    if (isNewest()) plan.value = undefined
    return
  }
  const { id, draftVersion, message } = waiting
  const found = (await call('GET /chat/plans/:id', { params: { id }, query })) as Plan
  const slugs = [...new Set(found.ops.map(({ pageSlug }) => String(pageSlug ?? found.slug)))]
  const read = await Promise.all(slugs.map(pageAt))
  const now = read.filter((page) => page !== undefined)
  const since = await Promise.all(now.map((page) => changedSince(draftVersion, page)))
  if (!isNewest()) return
  batch(() => {
    if (!turns.value.some(({ planId }) => planId === id)) {
      const turn = orphan ?? addTurn({ message })
      update(turn, (each) => ({ ...each, planId: id }))
    }
    pages.value = now
    changed.value = new Set(since.flat())
    plan.value = found
  })
}

/** Says once, and in the turn that asked for the plan, why it waits no longer. */
function noteOutdated(planId: string, reason: string): void {
  const turn = turns.value.find((each) => each.planId === planId && each.outdated === undefined)
  if (!turn) return
  update(turn.id, (each) => ({ ...each, outdated: reason }))
  say(reason)
}

/** A page of the draft; `undefined` where the plan makes it. */
const pageAt = (slug: string): Promise<Page | undefined> =>
  readPage(slug).then(
    ({ read }) => read,
    () => undefined,
  )

/** Reads it again when the draft changes while it waits. */
export const followPlan = (): (() => void) =>
  effect(() => {
    if (version.value > (plan.peek()?.draftVersion ?? Infinity)) void loadPlan().catch(() => undefined)
  })

/** The turn that asked for the plan; of several that asked for the same, the last one. */
export const planTurn = computed(() =>
  turns.value.findLast(({ planId }) => planId !== undefined && planId === plan.value?.id),
)
export const rows = computed(() => {
  const { ops = [], diff } = plan.value ?? {}
  const subject = planTurn.value?.about
  return changedRowsOf(ops, { pages: pages.value, diffs: diff?.pages ?? [], subject, changed: changed.value })
})

/** What the person ticked; forgotten where others changed something since. */
const chosen = signal<{ readonly of: string; readonly ticks: ReadonlySet<number> } | undefined>(undefined)
const occasion = computed(
  () => `${plan.value?.id} ${rows.value.filter(({ isChanged }) => isChanged).map(({ number }) => number)}`,
)
export const ticks = computed(() =>
  chosen.value?.of === occasion.value ? chosen.value.ticks : defaultTicks(rows.value),
)
/** The blocks that the ticked operations would change. */
export const plannedBlocks = computed(() => [
  ...new Set(rows.value.flatMap(({ number, blockId }) => (ticks.value.has(number) ? (blockId ?? []) : []))),
])
export const toggle = (number: number): void =>
  void (chosen.value = { of: occasion.value, ticks: toggled(ticks.value, rows.value, number) })
export const tickAll = (): void =>
  void (chosen.value = { of: occasion.value, ticks: new Set(rows.value.map(({ number }) => number)) })
