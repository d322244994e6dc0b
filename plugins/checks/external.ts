import { Refusal } from '../../kernel/index.ts'
import type { Outbound } from '../outbound/port.ts'
import { ownIds, toFinding, type Finding } from './view/finding.ts'
import { aboutLink, type Link } from './view/links.ts'
import { tooManyChecks } from './refusals.ts'
import type { Rule } from './view/rule.ts'
import type { SiteView } from './view/site-view.ts'

const atOnce = 5
const limits = { timeoutMs: 5_000, maxBytes: 64 * 1024 } as const
const mostLinks = 5_000
/** Runs at a time, of all drafts together. */
const mostRuns = 4

export interface DeadLinks {
  /** Asks as many addresses as the rule says, five at a time; what does not answer is not gone. Refuses with 429 `too_many_checks` while four others ask. */
  find(site: SiteView, signal: AbortSignal): Promise<readonly Finding[]>
  /** What it would find if all of the pages were gone. */
  possible(site: SiteView): readonly Finding[]
}

/** Makes what finds links to pages of other sites that are gone. */
export function createDeadLinks({ outbound, rule: { id, severity, params } }: { readonly outbound: Outbound; readonly rule: Rule }): DeadLinks {
  const linksOut = ({ pages }: SiteView): readonly Link[] => {
    const links = pages.flatMap((page) => page.links).filter(({ target }) => /^https?:\/\//i.test(target))
    const asked = new Set([...new Set(links.map(addressOf))].slice(0, Number(params['most'])))
    return links.filter((link) => asked.has(addressOf(link))).slice(0, mostLinks)
  }
  let running = 0
  const toFindings = (links: readonly Link[]): readonly Finding[] =>
    links.map((link) => toFinding(id, severity, aboutLink(link, 'The page that the link leads to is gone.'))).map(ownIds())

  return {
    async find(site, signal) {
      const links = linksOut(site)
      const gone = new Set<string>()
      const waiting = new Set(links.map(addressOf)).values()
      const work = async (): Promise<void> => {
        for (const address of waiting) if (await isGone(address, outbound, signal)) gone.add(address)
      }
      if (running === mostRuns) throw tooManyChecks()
      running += 1
      await Promise.all(Array.from({ length: atOnce }, work)).finally(() => (running -= 1))
      return toFindings(links.filter((link) => gone.has(addressOf(link))))
    },
    possible: (site) => toFindings(linksOut(site)),
  }
}

const addressOf = ({ target }: Link): string => target.split('#', 1)[0] ?? ''

async function isGone(address: string, outbound: Outbound, signal: AbortSignal): Promise<boolean> {
  const status = await statusOf(address, 'HEAD', outbound, signal)
  if (status !== 404 && status !== 410 && status !== 405 && status !== 501) return false
  // Some servers answer HEAD as if the page were not there.
  const again = await statusOf(address, 'GET', outbound, signal)
  return again === 404 || again === 410
}

/** `undefined` where the address may not be called, or gives no answer. Of its body nothing is waited for but the beginning. */
async function statusOf(address: string, method: 'HEAD' | 'GET', outbound: Outbound, signal: AbortSignal): Promise<number | undefined> {
  let status: number | undefined
  try {
    const answer = await outbound.stream(address, { ...limits, method, signal, ...(method === 'GET' && { headers: { range: 'bytes=0-0' } }) })
    status = answer.status
    // What is begun and left is closed.
    for await (const _ of answer.body) break
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return status
}
