/** What a person can do in the review; each change is one line of the history. */
import { applyRead } from '../edit/store-field.ts'
import { changing } from '../edit/undo-line.ts'
import { ApiError, call, sentenceOf } from '../service.ts'
import * as conflicts from '../stores/conflicts.ts'
import { apply } from '../stores/draft.ts'
import { publish, publishing } from '../stores/publishing.ts'
import { loadScheduled, sessionOf, type Scheduled } from '../stores/scheduled.ts'
import { errors, findings, loadFindings, type ReviewFinding } from './findings-store.ts'
import { addressPath, fieldOf, note, revertedWords, textAt } from '../stores/reverted.ts'
import { loadDiff, titleOf, type PageDiff } from '../stores/review.ts'
import { reverting, type SettingDiff } from '../stores/setting-diff.ts'
import { draftId } from '../stores/site.ts'
import { tickAll } from '../stores/ticks.ts'
import { say } from '../stores/toast.ts'

const change = (
  sentence: string,
  run: () => Promise<{ readonly previewVersion?: number | undefined }>,
): Promise<void> => changing(sentence, async () => (await run()).previewVersion)

/** Resets a page, one of its blocks, or a field of one, to what is published. */
export const reset = (slug: string, blockId?: string, field?: string): Promise<void> =>
  change(revertedWords, async () => {
    const part = { ...(blockId !== undefined && { blockId }), ...(field !== undefined && { field }) }
    const done = await call('POST /history/discard', { body: { ...draftId.value, slug, ...part } })
    note({ slug, part: blockId })
    if (blockId !== undefined && field !== undefined) note({ slug, part: fieldOf(blockId, field) })
    return done
  })

/** Resets the title of a page, its address, or one of its texts for search engines. */
export const resetText = (slug: string, path: string, before: unknown): Promise<void> =>
  change(revertedWords, async () => {
    const renames: Readonly<Record<string, object>> = {
      '': { newPageSlug: slug, newTitle: before },
      [addressPath]: { newPageSlug: before, newTitle: titleOf(slug) },
    }
    const rename = renames[path]
    const op = rename
      ? { op: 'rename_page', pageSlug: slug, ...rename }
      : { op: 'update_page_meta', pageSlug: slug, patch: { [path]: before ?? null } }
    const done = await apply([op])
    note({ slug: path === addressPath ? String(before) : slug, part: textAt(path) })
    return done
  })

/** Resets a setting of the site. */
export const resetSetting = (setting: SettingDiff): Promise<void> =>
  change(revertedWords, async () => {
    const done = await applyRead(async () => [await reverting(setting)])
    note({ part: setting.path })
    return done
  })

/** Moves a block back behind the block after which it is published. */
export function moveBack({ slug, blockDiffs }: PageDiff, blockId: string): Promise<void> {
  const published = blockDiffs
    .filter(
      ({ positionBefore, positionAfter }) => positionBefore !== undefined && positionAfter !== undefined,
    )
    .toSorted((a, b) => (a.positionBefore ?? 0) - (b.positionBefore ?? 0))
    .map((block) => block.blockId)
  const afterBlockId = published[published.indexOf(blockId) - 1]
  const op = {
    op: 'move_block',
    pageSlug: slug,
    blockId,
    ...(afterBlockId !== undefined && { afterBlockId }),
  }
  return change('Moved back', () => apply([op]))
}

/** Keeps one side of what was changed here and on the site. */
export async function take(side: 'draft' | 'site', open: readonly conflicts.Conflict[]): Promise<void> {
  const sentences = {
    draft: 'Yours stays. A publish brings it to the site.',
    site: 'The draft has what the site has',
  }
  await changing(sentences[side], () => conflicts.take(side, open))
  await loadDiff()
}

/** Takes over a site that is followed only when a person says so. */
export async function followConfirmed(sentence: string): Promise<void> {
  await changing(sentence, conflicts.followConfirmed)
  await loadDiff()
}

/** Publishes the whole draft to a site that has lost most of its pages. */
export async function putBack(): Promise<void> {
  tickAll()
  await publish({ overwrite: true })
}

/** Publishes what is reviewed; with errors in it nothing is sent, and the answer is false. */
export async function publishSolved(): Promise<boolean> {
  publishing.value = { state: 'checking' }
  await loadFindings()
  if (errors.value.length === 0) await publish()
  else publishing.value = { state: 'idle' }
  return errors.value.length === 0
}

export const fix = ({ id }: ReviewFinding): Promise<void> =>
  change('Fixed', () => call('POST /checks/fix', { body: { ...draftId.value, findingIds: [id] } }))

export async function dismiss({ id }: ReviewFinding): Promise<void> {
  try {
    await call('POST /checks/dismiss', { body: { ...draftId.value, findingId: id } })
    findings.value = findings.value?.filter((each) => each.id !== id)
  } catch (error) {
    say(sentenceOf(error))
  }
}

/** Puts an earlier publish back into the draft, to be reviewed and published. */
export async function backTo(commit: string): Promise<void> {
  await change('This is the earlier publish. Review it, then publish.', () =>
    call('POST /restore/snapshot', { body: { ...draftId.value, commit } }),
  )
  publishing.value = { state: 'idle' }
  await loadDiff()
}

/** Undoes changes in the draft, the newest first; one that was undone before stays so. */
export async function undoAll(versions: readonly number[]): Promise<void> {
  try {
    for (const version of versions)
      await call('POST /history/undo-change', { body: { ...draftId.value, version } }).catch(unlessUndone)
    say('This is what was there before. Review it, then publish.')
  } catch (error) {
    say(sentenceOf(error))
  }
  publishing.value = { state: 'idle' }
  await loadDiff()
}

function unlessUndone(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'nothing_to_undo') throw error
}

async function changeScheduled(sentence: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
    say(sentence)
  } catch (error) {
    say(sentenceOf(error))
  }
  publishing.value = { state: 'idle' }
  await loadScheduled().catch(() => undefined)
}

export const reschedule = (id: string, at: string): Promise<void> =>
  changeScheduled('It has another time', () =>
    call('PATCH /publish/scheduled', { body: { ...draftId.value, id, at } }),
  )

/** Decides conflicts of a scheduled publish: `draft` keeps its values, `site` leaves them out of it. */
export const decideScheduled = (
  { id, status, session }: Scheduled,
  take: 'draft' | 'site',
  open: readonly conflicts.Conflict[],
): Promise<void> =>
  changeScheduled(status === 'failed' ? 'It is published now' : 'It is decided for its time', () =>
    call('PATCH /publish/scheduled', {
      body: {
        ...draftId.value,
        session,
        ...(sessionOf(session) !== draftId.value.session && { against: draftId.value.session }),
        id,
        decide: open.map((each) => ({ id: each.id, take, seen: each.theirsVersion })),
      },
    }),
  )

export const cancel = (id: string): Promise<void> =>
  changeScheduled('It will not be published', () =>
    call('DELETE /publish/scheduled', { query: { ...draftId.value, id } }),
  )
