import type { Clock } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { PublishLog } from './log.ts'
import type { Tracker } from './schemas.ts'

export interface DeploymentApi {
  readonly token: string | undefined
  readonly teamId: string | undefined
  readonly baseUrl: string
}

const succeeded = new Set(['READY', 'SUCCEEDED'])
const failed = new Set(['ERROR', 'FAILED', 'CANCELED'])
/** Editors poll every five seconds, and several of them at once; the hosting API is asked less often. */
const askEvery = 3_000
/** A deployment that has not settled after so long is not asked about any more. */
const giveUpAfter = 60 * 60_000

/** What a deployment state says about the publish; `undefined` while it says nothing final. */
export function settledBy(state: string | undefined): 'success' | 'failed' | undefined {
  const known = state?.toUpperCase() ?? ''
  return succeeded.has(known) ? 'success' : failed.has(known) ? 'failed' : undefined
}

/** Follows publishes until they are settled: by the hosting API where there is one to ask, else by time. */
export function createPublishStatus({ log, outbound, clock, api, graceSeconds }: {
  readonly log: PublishLog
  readonly outbound: Outbound
  readonly clock: Clock
  readonly api: DeploymentApi
  readonly graceSeconds: number
}) {
  const ask = async (deploymentId: string): Promise<Pick<Tracker, 'vercelState' | 'lastCheckError'>> => {
    const team = api.teamId === undefined ? '' : `?teamId=${encodeURIComponent(api.teamId)}`
    try {
      const answer = await outbound.fetch(`${api.baseUrl}/v13/deployments/${encodeURIComponent(deploymentId)}${team}`, {
        headers: { authorization: `Bearer ${api.token}` },
        timeoutMs: 8_000,
        maxBytes: 1024 * 1024,
        allowOrigins: [api.baseUrl],
      })
      if (answer.status >= 300) return { lastCheckError: `vercel_api_${answer.status}` }
      return { vercelState: stateIn(answer.json()) }
    } catch {
      return { lastCheckError: 'fetch_error' }
    }
  }

  return async (id: DraftId): Promise<Tracker | undefined> => {
    const tracker = await log.tracker(id)
    if (!tracker || tracker.status === 'failed' || settledBy(tracker.vercelState)) return tracker
    const now = clock.now()
    const age = now.getTime() - Date.parse(tracker.startedAt)
    const canAsk = api.token !== undefined && tracker.deploymentId !== undefined && age < giveUpAfter
    if (!canAsk && age < graceSeconds * 1000) return tracker
    if (canAsk && now.getTime() - Date.parse(tracker.updatedAt) < askEvery) return tracker
    const found = canAsk && tracker.deploymentId !== undefined ? await ask(tracker.deploymentId) : { vercelState: 'READY' }
    const { lastCheckError: _, ...before } = tracker
    const next: Tracker = { ...before, ...withoutUndefined(found), updatedAt: now.toISOString() }
    await log.settle(id, next, settledBy(next.vercelState))
    return next
  }
}

function withoutUndefined(found: Pick<Tracker, 'vercelState' | 'lastCheckError'>): Partial<Tracker> {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function stateIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const state = 'readyState' in answer ? answer.readyState : 'state' in answer ? answer.state : undefined
  return typeof state === 'string' ? state.toUpperCase().slice(0, 40) : undefined
}
