import { parsedJson } from '../../content/plain-object.ts'
import { UpstreamFailure, type Outbound, type OutboundResponse } from '../../outbound/port.ts'
import type { DeploymentFacts, PublishTarget } from '../port.ts'
import { failed, succeeded } from '../outcome.ts'

const hookLimits = { method: 'POST', timeoutMs: 20_000, maxBytes: 256 * 1024 } as const
const maxCharacters = 500

/** Publishes by calling a deploy hook, whose build then fetches the content from this service. */
export function deployHook(outbound: Outbound, url: string | undefined): PublishTarget {
  return {
    name: 'deploy-hook',
    readsLater: true,
    async publish({ publishId: publication, key, pages, publishedAt, signal }) {
      if (url === undefined) return failed(400, 'No deploy hook is configured. Set VERCEL_DEPLOY_HOOK_URL.')
      const slugs = pages.map(({ slug }) => slug)
      const json = { source: 'orchestrator', session: key, slugs, publishedAt, publication }
      try {
        const called = await outbound.fetch(url, { ...hookLimits, json, allowOrigins: [url], signal })
        const facts = factsIn(called)
        // The hook was called, so the client gets a 200 with the answer of the hook.
        if (called.status >= 300) return failed(200, refusedBy(called.status), { tracker: facts, facts })
        return succeeded('triggered', facts, facts)
      } catch (error) {
        if (error instanceof UpstreamFailure) return failed(502, unreachable)
        throw error
      }
    },
  }
}

const unreachable = 'The deploy hook could not be reached. Check VERCEL_DEPLOY_HOOK_URL, then publish again.'
const refusedBy = (status: number): string =>
  `The deploy hook answered ${status}. Check VERCEL_DEPLOY_HOOK_URL, then publish again.`

function factsIn(called: OutboundResponse): DeploymentFacts {
  const answer = parsedJson(called.text())
  const state =
    textAt(answer, ['state', 'readyState', 'status']) ?? (called.status < 300 ? 'TRIGGERED' : 'ERROR')
  return {
    deployStatus: called.status,
    deployResponse: called.text().slice(0, maxCharacters).toWellFormed(),
    inspectUrl: textAt(answer, ['inspectorUrl', 'inspectUrl', 'url'], isWebAddress),
    deploymentId: textAt(answer, ['deploymentId', 'id'], isPlainId),
    vercelState: state.toUpperCase(),
  }
}

/** Editors show it as a link. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
/** It becomes a part of an address. */
const isPlainId = (text: string): boolean => /^[\w-]+$/.test(text)

const deepest = 8

/** Returns the first usable text under one of these names, at any depth; tries the names in order. */
function textAt(
  value: unknown,
  names: readonly string[],
  isUsable = (text: string) => text !== '',
): string | undefined {
  for (const name of names) {
    for (const found of textsUnder(name, value, deepest))
      if (isUsable(found)) return found.slice(0, maxCharacters)
  }
  return undefined
}

function* textsUnder(name: string, value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth === 0) return
  const own = Object.entries(value).find(([key]) => key === name)?.[1]
  if (typeof own === 'string') yield own
  for (const inner of Object.values(value)) yield* textsUnder(name, inner, depth - 1)
}
