import type { Clock } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Latest, PublishLog } from './log.ts'
import type { Tracker } from './schemas.ts'

const succeeded = new Set(['READY', 'SUCCEEDED'])
const failed = new Set(['ERROR', 'FAILED', 'CANCELED'])
/** Milliseconds between two questions: editors poll every five seconds, and several of them at once. */
const askEvery = 3_000
/** A deployment that has not settled after so long is asked about no more: what is unknown stays unknown. */
const giveUpAfter = 60 * 60_000
/** A publish that began so long ago is followed no more. */
const followedFor = 24 * 60 * 60_000

/** What a deployment state says about the publish; `undefined` while it says nothing final. */
export function settledBy(state: string | undefined): 'success' | 'failed' | undefined {
  const known = state?.toUpperCase() ?? ''
  return succeeded.has(known) ? 'success' : failed.has(known) ? 'failed' : undefined
}

/**
 * Follows publishes until they are settled: by the hosting API where there is one to ask, else by time.
 * Those who look at the same time share one question.
 */
export function createPublishStatus({ log, ask, clock, graceSeconds }: {
  readonly log: PublishLog
  readonly ask: AskDeployment | undefined
  readonly clock: Clock
  readonly graceSeconds: number
}) {
  const looking = new Map<string, Promise<Tracker>>()

  const newsOf = async ({
    deploymentId,
    startedAt,
    updatedAt,
  }: Tracker): Promise<Partial<Tracker> | undefined> => {
    const now = clock.now().getTime()
    const age = now - Date.parse(startedAt)
    if (!ask || deploymentId === undefined)
      return age < graceSeconds * 1000 ? undefined : { vercelState: 'READY' }
    if (age >= giveUpAfter || now - Date.parse(updatedAt) < askEvery) return undefined
    return ask(deploymentId)
  }

  const look = async (id: DraftId, latest: Latest): Promise<Tracker> => {
    const { tracker } = latest
    const { lastCheckError, vercelState } = (await newsOf(tracker)) ?? {}
    if (lastCheckError === undefined && vercelState === undefined) return tracker
    const updatedAt = clock.now().toISOString()
    const next: Tracker = {
      ...tracker,
      vercelState: vercelState ?? tracker.vercelState,
      lastCheckError,
      updatedAt,
    }
    await log.follow(id, { ...latest, tracker: next }, settledBy(next.vercelState))
    return next
  }

  return async (id: DraftId): Promise<Tracker | undefined> => {
    const latest = await log.latest(id)
    if (!latest) return undefined
    const { number, tracker } = latest
    if (clock.now().getTime() - Date.parse(tracker.startedAt) > followedFor) return undefined
    if (tracker.status === 'failed' || settledBy(tracker.vercelState)) return tracker
    const name = JSON.stringify([id.siteId, id.session, number])
    const shared = looking.get(name) ?? look(id, latest)
    looking.set(name, shared)
    return shared.finally(() => looking.delete(name))
  }
}

/** What is known of a deployment: its state, or why the question was not answered. */
export type DeploymentNews =
  | { readonly vercelState: string | undefined; readonly lastCheckError?: undefined }
  | { readonly lastCheckError: string }

/** Asks a hosting API how a deployment is going. */
export type AskDeployment = (deploymentId: string) => Promise<DeploymentNews>

export interface DeploymentApi {
  readonly token: string
  readonly teamId: string | undefined
  /** Without a slash at its end. */
  readonly baseUrl: string
}

const limits = { timeoutMs: 8_000, maxBytes: 1024 * 1024 }
const longestState = 40

/** Makes the question to the hosting API; it never fails. */
export function askDeployments(outbound: Outbound, { token, teamId, baseUrl }: DeploymentApi): AskDeployment {
  const team = teamId === undefined ? '' : `?teamId=${encodeURIComponent(teamId)}`
  const request = { ...limits, headers: { authorization: `Bearer ${token}` }, allowOrigins: [baseUrl] }
  return async (deploymentId) => {
    try {
      const answer = await outbound.fetch(
        `${baseUrl}/v13/deployments/${encodeURIComponent(deploymentId)}${team}`,
        request,
      )
      if (answer.status >= 300) return { lastCheckError: `vercel_api_${answer.status}` }
      return { vercelState: stateIn(answer.json()) }
    } catch {
      return { lastCheckError: 'fetch_error' }
    }
  }
}

function stateIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const state = 'readyState' in answer ? answer.readyState : 'state' in answer ? answer.state : undefined
  return typeof state === 'string' ? state.toUpperCase().slice(0, longestState) : undefined
}
