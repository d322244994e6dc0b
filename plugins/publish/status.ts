import type { Clock } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Deployment } from '../baseline/port.ts'
import { graceOf, type PublishEnvironment } from './environment.ts'
import { type Latest, type PublishLog, settledBy } from './log.ts'
import type { Tracker } from './schemas.ts'

/** Milliseconds between two requests: several editors may poll every five seconds. */
const askEveryMs = 3_000
/** Milliseconds after which an unsettled deployment is no longer checked. */
const giveUpAfterMs = 60 * 60_000
/** Milliseconds after which a publish is no longer followed. */
const followedForMs = 24 * 60 * 60_000

/** The number of publishes of a draft among which a deployment is searched. */
const searched = 50

/** Follows publishes until they are settled, by the hosting API or by time; readers share a request. */
export function createPublishStatus(context: {
  readonly log: PublishLog
  readonly outbound: Outbound
  readonly clock: Clock
  readonly env: PublishEnvironment
}) {
  const { log, outbound, clock, env } = context
  const ask = askDeployments(outbound, env)
  const { deploymentMs } = graceOf(env)
  const checking = new Map<string, Promise<Tracker>>()

  const newsOf = async (tracker: Tracker): Promise<DeploymentNews> => {
    const { deploymentId, startedAt, updatedAt, vercelState } = tracker
    const now = clock.now().getTime()
    const age = now - Date.parse(startedAt)
    if (!ask || deploymentId === undefined) {
      if (age < deploymentMs) return {}
      return vercelState === undefined ? { status: 'ready' } : { vercelState: 'READY' }
    }
    if (age >= giveUpAfterMs || now - Date.parse(updatedAt) < askEveryMs) return {}
    return ask(deploymentId)
  }

  const check = async (id: DraftId, latest: Latest): Promise<Tracker> => {
    const { tracker } = latest
    const news = await newsOf(tracker)
    if (Object.keys(news).length === 0) return tracker
    const updatedAt = clock.now().toISOString()
    const next = { ...tracker, lastCheckError: undefined, ...news, updatedAt }
    await log.follow(id, { ...latest, tracker: next }, settledBy(next.vercelState ?? next.status))
    return next
  }

  const status = async (id: DraftId): Promise<Tracker | undefined> => {
    const latest = await log.latest(id)
    if (!latest) return undefined
    const { key, tracker } = latest
    if (clock.now().getTime() - Date.parse(tracker.startedAt) > followedForMs) return undefined
    if (tracker.status === 'failed' || settledBy(tracker.vercelState ?? tracker.status)) return tracker
    const name = JSON.stringify([id.siteId, id.session, key])
    const shared = checking.get(name) ?? check(id, latest)
    checking.set(name, shared)
    return shared.finally(() => checking.delete(name))
  }

  /** Tells whether a deployment has failed; `undefined` while it is under way. */
  const hasFailed = async (siteId: string, { session, publishId, at: publishedAt }: Deployment) => {
    await status({ siteId, session })
    const logged = await log.facts({ siteId, session }, searched)
    const at = logged.findIndex((row) => row.id === publishId)
    const [row, ...later] = at === -1 ? [] : logged.slice(at)
    // Only the newest publish is followed; a later one that was refused says nothing about it. One that is not in the
    // log is about to be.
    const isOver = clock.now().getTime() - Date.parse(publishedAt) >= deploymentMs
    const isFollowed = row !== undefined && later.length === 0
    const isSettled = row !== undefined && row.status !== 'triggered'
    const hasArrived = later.some((each) => each.status === 'success')
    // A later one that was sent as well, and failed, is all that is known of one that is not followed any more.
    const failure = later.find(({ status, snapshot }) => status === 'failed' && snapshot !== undefined)
    const isFailure = row?.status === 'failed' || (!isSettled && !hasArrived && failure !== undefined)
    return isSettled || hasArrived || (isOver && !isFollowed) ? isFailure : undefined
  }

  return { status, hasFailed, deploymentMs }
}

/** The state of a deployment, or why it is unknown. */
type DeploymentNews = Partial<Pick<Tracker, 'status' | 'vercelState' | 'lastCheckError'>>

const limits = { timeoutMs: 8_000, maxBytes: 1024 * 1024 }
const longestState = 40

/** Creates the request to the hosting API, which never rejects; returns `undefined` without a token. */
function askDeployments(outbound: Outbound, env: PublishEnvironment) {
  const { VERCEL_TOKEN: token, VERCEL_TEAM_ID: teamId, VERCEL_BASE_URL: baseUrl } = env
  if (token === undefined) return undefined
  const team = teamId === undefined ? '' : `?teamId=${encodeURIComponent(teamId)}`
  const request = { ...limits, headers: { authorization: `Bearer ${token}` }, allowOrigins: [baseUrl] }
  return async (deploymentId: string): Promise<DeploymentNews> => {
    try {
      const answer = await outbound.fetch(
        `${baseUrl}/v13/deployments/${encodeURIComponent(deploymentId)}${team}`,
        request,
      )
      if (answer.status >= 300) return { lastCheckError: `vercel_api_${answer.status}` }
      const vercelState = stateIn(answer.json())
      return vercelState === undefined ? {} : { vercelState }
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
