/** The conversation about this draft. */
import { signal } from '@preact/signals'
import { call, sentenceOf, type Answer } from '../service.ts'
import { slug } from './draft.ts'
import { selected } from './selection.ts'
import { draftId } from './site.ts'

export type Result = Answer<'POST /chat'>
export type Plan = Answer<'GET /chat/plans/:id'>

export interface Turn {
  readonly id: number
  readonly message: string
  readonly result?: Result
  readonly plan?: Plan
  readonly failure?: string
}

export const turns = signal<readonly Turn[]>([])
export const isBusy = signal(false)
let running: AbortController | undefined

const update = (id: number, more: Partial<Turn>): void => {
  turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...more } : turn))
}

/** Asks for a change. A plan waits for approval; its operations can be ticked one by one. */
export async function ask(message: string): Promise<void> {
  const id = turns.value.length
  turns.value = [...turns.value, { id, message }]
  await run(id, { message, executionMode: 'plan_only' })
}

/** Applies the ticked operations of a plan, which count from 1; returns whether the draft changed. */
export async function accept(id: number, plan: Plan, acceptedOps: readonly number[]): Promise<boolean> {
  await run(id, { executionMode: 'apply_pending_plan', pendingPlanId: plan.id, acceptedOps })
  return turns.value[id]?.result?.status === 'applied'
}

export async function discard(id: number, plan: Plan): Promise<void> {
  await run(id, { executionMode: 'discard_pending_plan', pendingPlanId: plan.id })
}

export const stop = (): void => running?.abort()

async function run(id: number, request: object): Promise<void> {
  isBusy.value = true
  running = new AbortController()
  const about = selected.value
  const body = {
    ...draftId.value,
    slug: slug.value,
    ...(about && { activeBlockId: about.blockId }),
    ...(about?.path !== undefined && { activeEditablePath: about.path }),
    ...request,
  }
  try {
    const result = await call('POST /chat', { body: body as never, signal: running.signal })
    const plan = await planOf(result)
    turns.value = turns.value.map(({ plan: _old, failure: _gone, ...turn }) =>
      turn.id === id ? { ...turn, result, ...(plan && { plan }) } : { ...turn, ...(_old && { plan: _old }) },
    )
  } catch (error) {
    update(id, { failure: running.signal.aborted ? 'Stopped.' : sentenceOf(error) })
  } finally {
    isBusy.value = false
  }
}

async function planOf({ pendingPlanId }: Result): Promise<Plan | undefined> {
  if (pendingPlanId === undefined) return undefined
  return call('GET /chat/plans/:id', { params: { id: pendingPlanId }, query: draftId.value })
}
