import type { Clock } from '../../../kernel/index.ts'
import type { RunEvent } from './event.ts'
import type { RunContext } from './runner.ts'

const stages = ['request_received', 'first_token', 'first_structured_progress', 'plan_ready', 'first_op_applied', 'done'] as const
export type Milestone = (typeof stages)[number]

/** What an event of a planner says of how far it is. */
export function milestonesIn({ type }: RunEvent): readonly Milestone[] {
  switch (type) {
    case 'token':
    case 'thinking_token':
      return ['first_token']
    case 'summary_token':
    case 'changelog_entry':
    case 'field_draft':
    case 'op_candidate':
      return ['first_token', 'first_structured_progress']
    default:
      return []
  }
}

/** When a run reached what, in milliseconds after it began. */
export interface Timeline {
  /** Only the first time counts. */
  reached(stage: Milestone): void
  /** In the order of the stages; those that were not reached are left out. */
  read(): { stage: Milestone; atMs: number }[]
}

/** Starts the timeline of a run, which has been received. */
export function startTimeline(clock: Clock, tell: RunContext['tell']): Timeline {
  const start = clock.now().getTime()
  const times = new Map<Milestone, number>()
  const reached = (stage: Milestone): void => {
    if (times.has(stage)) return
    const atMs = clock.now().getTime() - start
    times.set(stage, atMs)
    tell?.({ kind: 'milestone', stage, atMs })
  }
  reached('request_received')
  return {
    reached,
    read: () => stages.flatMap((stage) => {
      const atMs = times.get(stage)
      return atMs === undefined ? [] : [{ stage, atMs }]
    }),
  }
}
