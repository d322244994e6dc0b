import type { Outbound } from '../outbound/port.ts'

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
