import { changeLines } from '../chat/port.ts'
import type { Manifest } from '../content/model.ts'
import { parseOperations } from '../content/operations/parse.ts'
import type { Page } from '../content/page.ts'
import { builtinRegistry } from '../content/registry.ts'
import { type Committed, type Drafts, type Playground, readCapabilities, readManifest } from '../draft/port.ts'
import { fenced } from '../llm/port.ts'
import type { Sites } from '../sites/port.ts'
import { excerptOf } from './loop-tool.ts'
import type { LoopAnswer } from './loop-types.ts'
import type { ContentRun } from './port.ts'
import type { VariationSet } from './schemas.ts'

export interface SessionParts {
  readonly drafts: Drafts
  readonly sites: Pick<Sites, 'registered'>
  readonly playground: Playground | undefined
  /** Names the run: its changes are one entry of the log. */
  readonly traceId: string
}

/** One run of the content agent: what it may read, and the one way in which it writes. */
export interface Session {
  readonly run: ContentRun
  readonly drafts: Drafts
  readonly sites: Pick<Sites, 'registered'>
  readonly traceId: string
  readonly manifest: Manifest | undefined
  /** A block type that the site declares, or that is built in. */
  typeOf(type: string): ReturnType<Manifest['get']>
  page(slug: string): Promise<Page | undefined>
  /** Applies raw operations, all of them or none, and tells everybody who follows. */
  write(toolName: string, ops: readonly unknown[]): Promise<LoopAnswer>
  /** What came of it so far. */
  readonly done: Done
}

export interface Done {
  readonly changes: string[]
  readonly slugs: Set<string>
  opCount: number
  previewVersion: number
  focusBlockId: string | undefined
  variations: VariationSet | undefined
}

const longestSummary = 300

/** Opens a run on a draft. Refuses with 400 what the request declares about the site and cannot be read. */
export async function openSession(run: ContentRun, { drafts, sites, playground, traceId }: SessionParts): Promise<Session> {
  const { id, actor, channel, source, context = {}, onEvent, at } = run
  const manifest = readManifest(context.componentsManifest, builtinRegistry)
  const allowStructuralEdits = readCapabilities(context.siteCapabilities)
  // A draft that was never filled is filled by its first reader.
  await drafts.rows(id)
  const head = await drafts.head(id)
  const done: Done = { changes: [], slugs: new Set(), opCount: 0, previewVersion: head.version, focusBlockId: undefined, variations: undefined }
  const locale = context.locale ?? 'en'

  const pageOf = async (slug: string): Promise<Page | undefined> => (await drafts.page(id, slug))?.page

  return {
    run,
    drafts,
    sites,
    traceId,
    manifest,
    done,
    typeOf: (type) => manifest?.get(type) ?? builtinRegistry.get(type),
    page: pageOf,
    async write(toolName, raw) {
      const parsed = parseOperations(raw)
      if (!parsed.ok) return { text: parsed.message, isError: true }
      at?.('applying', 'Changing the draft')
      const slugs = new Set(parsed.ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : [])))
      const before = await Promise.all([...slugs].map(pageOf))
      const lines = await changeLines(parsed.ops, { locale, manifest, pages: before.filter((page) => page !== undefined) })
      const summary = excerptOf([...done.changes, ...lines].join(' '), longestSummary)
      const edit = { kind: 'operations', ops: parsed.ops, source: 'planner', logSource: source, summary, manifest, allowStructuralEdits, playground, currentSlug: context.slug } as const
      const committed = await drafts.commit({ id, edit, actor, channel, run: traceId }, (committed) => committed)
      return tell(toolName, committed)
    },
  }

  async function tell(toolName: string, { previewVersion, ops = [], pages, results, notes }: Committed): Promise<LoopAnswer> {
    const touched = [...pages.values()].flatMap(({ before, after }) => [before, after]).filter((page) => page !== undefined)
    const lines = await changeLines(ops, { locale, manifest, pages: touched })
    const focusBlockId = results?.focusBlockId
    done.changes.push(...lines)
    done.opCount += ops.length
    done.previewVersion = previewVersion
    done.focusBlockId = focusBlockId ?? done.focusBlockId
    for (const slug of pages.keys()) done.slugs.add(slug)
    onEvent?.({ type: 'op_applied', toolName, previewVersion, ...(focusBlockId !== undefined && { focusBlockId }) })
    for (const entry of lines) onEvent?.({ type: 'changelog_entry', entry })
    return toolAnswer({
      status: 'applied',
      appliedCount: results?.appliedCount ?? ops.length,
      previewVersion,
      focusBlockId,
      skippedOps: results?.skippedOps ?? [],
      slugs: [...pages.keys()],
      changeDescription: lines.join(' '),
      notes,
    })
  }
}

/** What a tool gives, marked as data. */
export const toolAnswer = (value: unknown): LoopAnswer => ({ text: fenced('tool result', value) })

export const toolError = (text: string): LoopAnswer => ({ text, isError: true })
