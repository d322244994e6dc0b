import * as v from 'valibot'
import { randomIds } from '../../kernel/index.ts'
import { ask, read, versionOf, type Reply, type Way, type Wish } from './ask.ts'
import { createDraftModel, type DraftModel, type Edit, type ModelPage } from './draft-model.ts'

/** A change with everything that its request says. */
export interface Intent {
  readonly edit: Edit
  readonly wish: Wish
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

const shared = ['/', '/shared-a', '/shared-b', '/shared-c']
/** Long enough for a page to take several pages of the store's file. */
const filler = 'It has to be said at length. '.repeat(300)

const home = (own: string): string => `${own}-home`
const extra = (own: string): string => `${own}-extra`
const places = (own: string): readonly [string, string] => [`${own}-here`, `${own}-there`]
const links = (own: string): string => `${own}-links`

/** The one block of a page, which goes with it when it moves. */
const blockOf = (slug: string): string => `b_page${slug.replaceAll('/', '_').replace('-there', '-here')}`

const toPage = (slug: string, { marker, link }: ModelPage) => ({
  id: `p${slug.replaceAll('/', '_')}`,
  slug,
  title: `Page ${slug}`,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [{ id: blockOf(slug), type: 'RichText', props: { title: marker, body: `Go [on](${link}). ${filler}` } }],
})

/** What the proofs read of a page. */
export const ReadPage = v.pipe(
  v.object({
    blocks: v.tuple([v.object({ props: v.object({ title: v.string(), body: v.string() }) })]),
  }),
  v.transform(({ blocks: [{ props }] }): ModelPage => ({
    marker: props.title,
    link: /\]\((.*?)\)/.exec(props.body)?.[1] ?? 'no link',
  })),
)

/** Brings the pages of a draft in, and gives the draft. */
export async function createDraft(port: number, name: string, editors: number): Promise<ProvenDraft> {
  const at = { siteId: `site-${name}`, session: name }
  const owners = Array.from({ length: editors }, (_, index) => `/editor${index}`)
  const slugs = [...shared, ...owners.flatMap((own) => [home(own), places(own)[0], links(own)])]
  const initial = new Map(slugs.map((slug): [string, ModelPage] => [slug, { marker: 'new', link: '/' }]))
  for (const own of owners) initial.set(links(own), { marker: 'new', link: places(own)[0] })
  const body = { ...at, pages: [...initial].map(([slug, page]) => toPage(slug, page)) }
  const reply = await ask({ port }, { method: 'POST', path: '/draft/bootstrap', body })
  const { previewVersion } = read(reply, v.object({ status: v.literal('bootstrapped'), previewVersion: v.number() }))

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

/** Chooses the next change of an editor, who sees these pages at this version. */
export function choose({ own, draft }: Editor, slugs: readonly string[], version: number): Intent {
  return toIntent(draft, chooseEdit(own, slugs), Math.random() < 0.2 ? version : undefined)
}

/** A change that always fits, to pages that everybody changes. */
export function markShared(draft: ProvenDraft): Intent {
  return toIntent(draft, { kind: 'batch', marker: randomIds.uuid(), marks: shared })
}

function toIntent({ at }: ProvenDraft, edit: Edit, expect?: number): Intent {
  const key = Math.random() < 0.5 ? randomIds.uuid() : undefined
  const headers = {
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(expect !== undefined && { 'if-match': `"${expect}"` }),
  }
  const asked = edit.kind === 'batch' ? { ops: toOperations(edit) } : { slug: edit.slug }
  const path = edit.kind === 'batch' ? '/ops' : `/history/${edit.kind}`
  return { edit, wish: { method: 'POST', path, body: { ...at, ...asked }, headers }, key, expect }
}

function chooseEdit(own: string, slugs: readonly string[]): Edit {
  const marker = randomIds.uuid()
  const [here, there] = places(own)
  const some = shared.toSorted(() => Math.random() - 0.5).slice(0, 2)
  const three = { kind: 'batch', marker, marks: [home(own), ...some] } as const
  const chance = Math.random()
  if (chance < 0.45) return three
  if (chance < 0.6) return slugs.includes(extra(own)) ? { ...three, removes: extra(own) } : { ...three, creates: extra(own) }
  if (chance < 0.75) {
    const moves = slugs.includes(here) ? { from: here, to: there } : { from: there, to: here }
    return { kind: 'batch', marker, moves, marks: [links(own)] }
  }
  if (chance < 0.85) return { kind: 'batch', marker, marks: [home(own)], names: true }
  const slug = [home(own), extra(own), links(own), slugs.includes(here) ? here : there][Math.floor(Math.random() * 4)]
  return { kind: Math.random() < 0.6 ? 'undo' : 'redo', slug: slug ?? home(own) }
}

function toOperations({ marker, moves, removes, creates, marks, names }: Extract<Edit, { kind: 'batch' }>): readonly object[] {
  return [
    ...(moves ? [{ op: 'rename_page', pageSlug: moves.from, newPageSlug: moves.to }] : []),
    ...(removes === undefined ? [] : [{ op: 'remove_page', pageSlug: removes }]),
    ...(creates === undefined ? [] : [{ op: 'create_page', page: toPage(creates, { marker, link: '/' }) }]),
    ...marks.map((slug) => ({ op: 'update_props', pageSlug: slug, blockId: blockOf(slug), patch: { title: marker } })),
    ...(names ? [{ op: 'update_site_config', patch: { name: marker } }] : []),
  ]
}

const Slugs = v.object({ slugs: v.array(v.string()) })

/** The slugs and the version of a draft, which is none that somebody has left behind. */
export async function look(to: Way, draft: ProvenDraft): Promise<{ readonly slugs: readonly string[]; readonly version: number }> {
  const { seen } = draft
  const reply = await ask(to, { path: `/draft/slugs?${new URLSearchParams(draft.at)}` })
  const { slugs } = read(reply, Slugs)
  const version = versionOf(reply)
  if (version < seen) throw new Error(`the draft went back from version ${seen} to ${version}`)
  draft.seen = Math.max(draft.seen, version)
  return { slugs, version }
}
