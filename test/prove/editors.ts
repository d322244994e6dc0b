import * as v from 'valibot'
import { ask, read, versionOf, type Reply, type RequestTarget, type RequestSpec } from './ask.ts'
import { createDraftModel, type DraftModel, type ModelEdit } from './draft-model.ts'
import { initialPages, toPage } from './pages.ts'

/** A change and its request. */
export interface Intent {
  readonly edit: ModelEdit
  readonly request: RequestSpec
  /** The Idempotency-Key. */
  readonly key: string | undefined
  /** The version in `If-Match`. */
  readonly expect: number | undefined
}

/** A client that changes a draft, one request at a time. */
export interface Editor {
  /** The prefix of pages that only this editor changes; every change touches one, which identifies its editor. */
  readonly own: string
  readonly draft: ProvenDraft
  /** The unanswered request. */
  pending: Intent | undefined
  /** The last response to a request with an Idempotency-Key. */
  lastKeyed: { readonly intent: Intent; readonly reply: Reply } | undefined
  /** Number of answered changes. */
  answered: number
  /** Number of refused changes, and of those since the last answered one. */
  refused: number
  refusedInRow: number
  /** Number of requests that were sent again. */
  repeated: number
}

/** A draft with its model and editors. */
export interface ProvenDraft {
  readonly at: { readonly siteId: string; readonly session: string }
  readonly editors: readonly Editor[]
  /** The state of the draft at version `settled`. */
  readonly model: DraftModel
  settled: number
  /** The newest version in any response. */
  seen: number
  /** The answered changes since `settled`, by version. */
  readonly acknowledged: Map<number, Intent>
}

const Bootstrapped = v.object({ status: v.literal('bootstrapped'), previewVersion: v.number() })

/** Bootstraps a draft. */
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
      lastKeyed: undefined,
      answered: 0,
      refused: 0,
      refusedInRow: 0,
      repeated: 0,
    })),
    model: createDraftModel(initial),
    settled: previewVersion,
    seen: previewVersion,
    acknowledged: new Map(),
  }
  return draft
}

/** The number of answered or refused changes, or of repeated requests, of all editors. */
export function count(drafts: readonly ProvenDraft[], what: 'answered' | 'refused' | 'repeated'): number {
  return drafts.flatMap(({ editors }) => editors).reduce((sum, editor) => sum + editor[what], 0)
}

const Slugs = v.object({ slugs: v.array(v.string()) })

/** The page list of a draft, with its version. */
export interface SeenList {
  readonly slugs: readonly string[]
  readonly version: number
}

/** Reads the page list of a draft. Throws if its version is older than one seen before. */
export async function look(to: RequestTarget, draft: ProvenDraft): Promise<SeenList> {
  const { seen } = draft
  const reply = await ask(to, { path: `/draft/slugs?${new URLSearchParams(draft.at)}` })
  const { slugs } = read(reply, Slugs)
  const version = versionOf(reply)
  if (version < seen) throw new Error(`the draft went back from version ${seen} to ${version}`)
  draft.seen = Math.max(draft.seen, version)
  return { slugs, version }
}
