import type { Clock } from '../../kernel/index.ts'

const stages = ['request_received', 'first_token', 'first_structured_progress', 'plan_ready', 'first_op_applied', 'done'] as const
export type Milestone = (typeof stages)[number]

/** When a run reached what, in milliseconds after it began. */
export interface Timeline {
  /** Only the first time counts. */
  reached(stage: Milestone): void
  /** In the order of the stages; those that were not reached are left out. */
  read(): { stage: Milestone; atMs: number }[]
}

/** Starts the timeline of a run. */
export function startTimeline(clock: Clock): Timeline {
  const start = clock.now().getTime()
  const reached = new Map<Milestone, number>([['request_received', 0]])
  return {
    reached(stage) {
      if (!reached.has(stage)) reached.set(stage, clock.now().getTime() - start)
    },
    read: () => stages.flatMap((stage) => {
      const atMs = reached.get(stage)
      return atMs === undefined ? [] : [{ stage, atMs }]
    }),
  }
}
