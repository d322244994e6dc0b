import * as v from 'valibot'
import { ask, read, versionOf, type Reply, type Way, type Wish } from './ask.ts'
import { createDraftModel, type DraftModel, type Edit } from './draft-model.ts'
import { initialPages, toPage } from './pages.ts'

/** A change with everything that its request says. */
export interface Intent {
  readonly edit: Edit
  readonly wish: Wish
  /** The Idempotency-Key. */
  readonly key: string | undefined
  /** The version that the request insists on. */
  readonly expect: number | undefined
}

/** Somebody who changes a draft, one request after another. */
export interface Editor {
  /** Pages that nobody else changes begin with this, so that every change tells whose it is. */
  readonly own: string
  readonly draft: ProvenDraft
  /** What was asked for and not answered. */
  pending: Intent | undefined
  /** The last answer under an Idempotency-Key. */
  kept: { readonly intent: Intent; readonly reply: Reply } | undefined
  /** How many changes were answered. */
  answered: number
  /** How many the store refused, and how many of them since the last one that was answered. */
  refused: number
  refusedInRow: number
}

/** A draft with what is known of it. */
export interface ProvenDraft {
  readonly at: { readonly siteId: string; readonly session: string }
  readonly editors: readonly Editor[]
  /** The draft as it was at version `settled`. */
  readonly model: DraftModel
  settled: number
  /** The newest version that anybody was told. */
  seen: number
  /** What was answered since `settled`, by version. */
  readonly acknowledged: Map<number, Intent>
}

const Bootstrapped = v.object({ status: v.literal('bootstrapped'), previewVersion: v.number() })

/** Brings the pages of a draft in, and gives the draft. */
export async function createDraft(port: number, name: string, editors: number): Promise<ProvenDraft> {
  const at = { siteId: `site-${name}`, session: name }
  const owners = Array.from({ length: editors }, (_, index) => `/editor${index}`)
  const initial = initialPages(owners)
  const body = { ...at, pages: [...initial].map(([slug, page]) => toPage(slug, page)) }
  const reply = await ask({ port }, { method: 'POST', path: '/draft/bootstrap', body })
  const { previewVersion } = read(reply, Bootstrapped)

  const draft: ProvenDraft = {
    at,
    editors: owners.map((own): Editor => ({
      own,
      get draft() {
        return draft
      },
      pending: undefined,
      kept: undefined,
      answered: 0,
      refused: 0,
      refusedInRow: 0,
    })),
    model: createDraftModel(initial),
    settled: previewVersion,
    seen: previewVersion,
    acknowledged: new Map(),
  }
  return draft
}

/** Gives how often something has happened to the editors of some drafts. */
export function count(drafts: readonly ProvenDraft[], what: 'answered' | 'refused'): number {
  return drafts.flatMap(({ editors }) => editors).reduce((sum, editor) => sum + editor[what], 0)
}

const Slugs = v.object({ slugs: v.array(v.string()) })

/** What the page list of a draft tells. */
export interface Seen {
  readonly slugs: readonly string[]
  readonly version: number
}

/** Reads the page list of a draft. Throws where it is older than what somebody was told before. */
export async function look(to: Way, draft: ProvenDraft): Promise<Seen> {
  const { seen } = draft
  const reply = await ask(to, { path: `/draft/slugs?${new URLSearchParams(draft.at)}` })
  const { slugs } = read(reply, Slugs)
  const version = versionOf(reply)
  if (version < seen) throw new Error(`the draft went back from version ${seen} to ${version}`)
  draft.seen = Math.max(draft.seen, version)
  return { slugs, version }
}
