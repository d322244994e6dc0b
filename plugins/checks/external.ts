import { Refusal } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { uniqueIds, toFinding, type Finding } from './view/finding.ts'
import { aboutLink, type Link } from './view/links.ts'
import { tooManyChecks } from './refusals.ts'
import type { Rule } from './view/rule.ts'
import type { SiteView } from './view/site-view.ts'

const concurrency = 5
const limits = { timeoutMs: 5_000, maxBytes: 64 * 1024 } as const
const maxLinks = 5_000
/** The maximum number of concurrent runs, over all drafts. */
const maxRuns = 4

/** Creates the check for dead links to other sites. */
export function createDeadLinks({
  outbound,
  rule: { id, severity, params },
}: {
  readonly outbound: Outbound
  readonly rule: Rule
}) {
  const externalLinks = ({ pages }: SiteView): readonly Link[] => {
    const links = pages.flatMap((page) => page.links).filter(({ target }) => /^https?:\/\//i.test(target))
    const selected = new Set([...new Set(links.map(addressOf))].slice(0, Number(params['most'])))
    return links.filter((link) => selected.has(addressOf(link))).slice(0, maxLinks)
  }
  let running = 0
  const toFindings = (links: readonly Link[]): readonly Finding[] =>
    links
      .map((link) => toFinding(id, severity, aboutLink(link, 'The linked page no longer exists.')))
      .map(uniqueIds())

  return {
    /** Requests up to `most` addresses; an unreachable page is not dead. Refuses: 429 `too_many_checks`. */
    async find(site: SiteView, signal: AbortSignal): Promise<readonly Finding[]> {
      const links = externalLinks(site)
      const gone = new Set<string>()
      const waiting = new Set(links.map(addressOf)).values()
      const work = async (): Promise<void> => {
        for (const address of waiting) if (await isGone(address, outbound, signal)) gone.add(address)
      }
      if (running === maxRuns) throw tooManyChecks()
      running += 1
      await Promise.all(Array.from({ length: concurrency }, work)).finally(() => (running -= 1))
      return toFindings(links.filter((link) => gone.has(addressOf(link))))
    },
    /** Returns the findings for the case that all pages are gone. */
    possible: (site: SiteView): readonly Finding[] => toFindings(externalLinks(site)),
  }
}

const addressOf = ({ target }: Link): string => target.split('#', 1)[0] ?? ''

async function isGone(address: string, outbound: Outbound, signal: AbortSignal): Promise<boolean> {
  const status = await statusOf(address, 'HEAD', outbound, signal)
  if (status !== 404 && status !== 410 && status !== 405 && status !== 501) return false
  // Some servers answer HEAD requests as if the page did not exist.
  const again = await statusOf(address, 'GET', outbound, signal)
  return again === 404 || again === 410
}

/** Returns a status; `undefined` if the address is forbidden or silent. Reads only the first chunk. */
async function statusOf(
  address: string,
  method: 'HEAD' | 'GET',
  outbound: Outbound,
  signal: AbortSignal,
): Promise<number | undefined> {
  let status: number | undefined
  try {
    const answer = await outbound.stream(address, {
      ...limits,
      method,
      signal,
      ...(method === 'GET' && { headers: { range: 'bytes=0-0' } }),
    })
    status = answer.status
    // Leaving the loop closes the connection.
    for await (const _ of answer.body) break
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return status
}
