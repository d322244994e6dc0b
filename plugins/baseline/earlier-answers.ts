import { type Clock, LRUCache } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'

/** What a site meant with its newest answer. */
interface SeenAnswer {
  /** The edition of what is known of the site after it. */
  readonly edition: number
  /** That of the answer; equal for equal answers. */
  readonly version: string | undefined
  readonly pageCount: number
  /** What it meant is asked for only where an earlier answer comes back. */
  content(): Promise<SiteContent>
}

interface Remembered {
  /** The versions of the newest answers, the newest one last. */
  readonly answers: readonly string[]
  /** The publishes of the last time: the answers that were seen before each, and the one after it. */
  readonly publishes: readonly {
    readonly at: string
    readonly before: ReadonlySet<string>
    readonly after: string | undefined
  }[]
  /** What the site meant last; only of sites that were published to. */
  readonly last?: Omit<SeenAnswer, 'version'> | undefined
}

const mostSites = 50
/** The most pages of all sites that are remembered. */
const mostPages = 20_000
const mostAnswers = 20
const nothing: Remembered = { answers: [], publishes: [] }

/**
 * Remembers the answers of sites that this process has seen. One that was seen before a publish, and is not
 * the one after it, comes from a part of the site that is behind: as a whole it stands for what is known.
 */
export function createEarlierAnswers(context: {
  readonly clock: Clock
  /** How long a part of a site may be behind. */
  readonly graceMs: number
}) {
  const { clock, graceMs } = context
  const sites = new LRUCache<string, Remembered>({
    max: mostSites,
    maxSize: mostPages,
    sizeCalculation: ({ last }) => 1 + (last?.pageCount ?? 0),
  })
  const at = (key: string): Remembered => {
    const site = sites.get(key) ?? nothing
    const since = clock.now().getTime() - graceMs
    return { ...site, publishes: site.publishes.filter((each) => Date.parse(each.at) > since) }
  }
  const withAnswer = (answers: readonly string[], version: string | undefined): readonly string[] =>
    version === undefined
      ? answers
      : [...answers.filter((each) => each !== version), version].slice(-mostAnswers)

  return {
    /** Notes an answer, and what the site meant with it. */
    seen(key: string, { version, ...answer }: SeenAnswer): void {
      const site = at(key)
      const last = site.publishes.length > 0 ? answer : undefined
      sites.set(key, { ...site, answers: withAnswer(site.answers, version), last })
    },
    /** Notes a publish, and the answer after it. */
    published(key: string, { at: time, version, ...last }: SeenAnswer & { readonly at: string }): void {
      const { answers, publishes } = at(key)
      const publish = { at: time, before: new Set(answers), after: version }
      sites.set(key, { answers: withAnswer(answers, version), publishes: [...publishes, publish], last })
    },
    /** What is known has another edition, and is the same. */
    moved(key: string, from: number, to: number): void {
      const site = sites.get(key)
      if (site?.last?.edition === from) sites.set(key, { ...site, last: { ...site.last, edition: to } })
    },
    /** Returns what is known of a site, if its answer as a whole is one that was seen before a publish. */
    standsFor(key: string, edition: number, version: string | undefined): SeenAnswer['content'] | undefined {
      const { publishes, last } = at(key)
      if (version === undefined || last?.edition !== edition) return undefined
      const shownBy = publishes.findLastIndex(({ after }) => after === version)
      const isEarlier = publishes.slice(shownBy + 1).some(({ before }) => before.has(version))
      return isEarlier ? last.content : undefined
    },
    /** From now on every answer counts as it is. */
    forget: (key: string): void => void sites.delete(key),
  }
}
