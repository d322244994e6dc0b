import { homeFirst } from '../../content/slugs.ts'
import { UpstreamFailure, type Outbound } from '../../outbound/port.ts'
import type { PublishTarget } from '../port.ts'
import { failed } from './outcome.ts'

const hookLimits = { method: 'POST', timeoutMs: 20_000, maxBytes: 256 * 1024 } as const
const kept = 500

/** Publishes by calling a deploy hook, whose build then fetches the content from here. */
export function deployHook({ outbound, url }: { readonly outbound: Outbound; readonly url: string | undefined }): PublishTarget {
  return {
    name: 'deploy-hook',
    async publish({ key, pages, publishedAt, signal }) {
      if (url === undefined) return failed(400, 'No deploy hook is configured. Set VERCEL_DEPLOY_HOOK_URL.')
      const slugs = homeFirst(pages.map(({ slug }) => slug))
      const called = await outbound
        .fetch(url, { ...hookLimits, json: { source: 'orchestrator', session: key, slugs, publishedAt }, allowOrigins: [new URL(url).origin], signal })
        .catch((error: unknown) => {
          if (error instanceof UpstreamFailure) return undefined
          throw error
        })
      if (!called) return failed(502, 'The deploy hook could not be reached. Check VERCEL_DEPLOY_HOOK_URL, then publish again.', { deployStatus: 502 })
      const ok = called.status < 300
      const text = called.text().slice(0, kept)
      const answer = asJson(called.text())
      const facts = {
        deployStatus: called.status,
        deployResponse: text,
        ...named('inspectUrl', textAt(answer, ['inspectorUrl', 'inspectUrl', 'url'])),
        ...named('deploymentId', textAt(answer, ['deploymentId', 'id'])),
        ...named('vercelState', (textAt(answer, ['state', 'readyState', 'status']) ?? (ok ? 'TRIGGERED' : 'ERROR')).toUpperCase()),
      }
      if (!ok) return failed(400, `The deploy hook answered ${called.status}.`, facts, facts)
      return { ok, httpStatus: 200, status: 'triggered', body: facts, tracker: facts }
    },
  }
}

const named = (name: string, value: string | undefined): Readonly<Record<string, string>> => (value === undefined ? {} : { [name]: value })

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The first text under one of these names, at any depth; the names in their order. */
function textAt(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = findText(value, name, 8)
    if (found !== undefined) return found
  }
  return undefined
}

function findText(value: unknown, name: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const [key, inner] of Object.entries(value)) if (key === name && typeof inner === 'string' && inner !== '') return inner.slice(0, kept)
  for (const inner of Object.values(value)) {
    const found = findText(inner, name, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
