import { comments } from './comments.ts'
import type { DraftId } from '../../scope/port.ts'
import { RunFailure, type TicketOutcome, type TicketRun } from './ticket-run.ts'

/** Publishes the draft that a ticket changed, if it is unchanged since the ticket showed it. */
export async function publish(run: TicketRun): Promise<TicketOutcome> {
  const { draft, draftVersion, touchedSlugs } = run.ticket
  if (!draft || draftVersion === undefined)
    throw new RunFailure(
      'no_draft',
      'This ticket has no draft yet, so nothing was published. Carry it out first.',
    )
  return run.turns.run(run.scope.key(draft), () =>
    publishDraft(run, { id: draft, version: draftVersion, touchedSlugs, changes: [] }),
  )
}

interface Approved {
  readonly id: DraftId
  /** The version that the ticket showed. */
  readonly version: number
  readonly touchedSlugs: readonly string[]
  readonly changes: readonly string[]
}

/** Publishes a version of a draft; asks again if the draft has changed since. */
export async function publishDraft(
  run: TicketRun,
  { id, version, touchedSlugs, changes }: Approved,
): Promise<TicketOutcome> {
  const { key, tickets, drafts, publishing, noted, settings, log } = run
  run.signal.throwIfAborted()
  Object.assign(noted, { ...id, touchedSlugs })
  const head = await drafts.head(id)
  if (head.version !== version) return askAgain(run, { id, touchedSlugs })
  if (head.pageCount === 0)
    throw new RunFailure('empty_draft', 'The draft has no pages, so nothing was published.')
  await tickets.change(key, () => ({ state: 'publishing' }))
  const { httpStatus, body } = await publishing.publish({
    id,
    actor: { kind: 'agent', id: 'jira' },
    expect: version,
  })
  if (body.code === 'draft_changed') return askAgain(run, { id, touchedSlugs })
  if (httpStatus !== 200 || body.status === 'failed')
    throw new RunFailure(
      'publish_failed',
      `Nothing was published. ${body.reason ?? body.error ?? 'The publish log has the reason.'}`,
    )
  noted.published = true
  await tickets.change(key, () => ({ state: 'done', touchedSlugs: [] }))
  // The publish has succeeded even if the comment fails.
  const reporting = run
    .comment('published', comments.published(touchedSlugs, body.status === 'ready'))
    .then(() => run.move(settings.statuses.done))
  await reporting.catch((err: unknown) =>
    log.warn({ err, issueKey: key }, 'a publish could not be reported in its ticket'),
  )
  return {
    state: 'done',
    summary: body.status === 'ready' ? 'The draft is published.' : 'The publish has started.',
    changes,
    published: true,
  }
}

/** Shows the current version for approval, because the draft is not at the approved one. */
async function askAgain(
  run: TicketRun,
  { id, touchedSlugs }: Pick<Approved, 'id' | 'touchedSlugs'>,
): Promise<TicketOutcome> {
  const { version } = await run.drafts.head(id)
  await run.tickets.change(run.key, () => ({ draftVersion: version }))
  await run.comment(
    'draft',
    comments.draft({
      intro:
        'The draft has changed since it was shown here, so nothing was published. Please review it again:',
      changes: [],
      links: await run.linksOf(id, touchedSlugs),
      summary: '',
      next: 'Answer "approved" to publish it as it is now.',
      facts: '',
    }),
  )
  await run.move(run.settings.statuses.preview)
  return { state: 'preview', summary: 'The draft has changed since it was shown, so nothing was published.' }
}
