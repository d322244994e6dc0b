import { Button } from '../parts/button.tsx'
import { byWhom } from '../stores/by-whom.ts'
import type { Conflict } from '../stores/conflicts.ts'
import { ownerOf, scheduled, scheduledElsewhere, sessionOf, type Scheduled } from '../stores/scheduled.ts'
import { momentOf } from '../stores/formats.ts'
import { pageOf, partOf } from './conflict-names.ts'
import { blockOf, ConflictRow, Made } from './conflicts.tsx'
import { decideScheduled } from './intents.ts'

interface ChoicesProps {
  readonly row: Scheduled
  readonly of: readonly Conflict[]
  readonly keep: string
  readonly leave: string
}

const Choices = ({ row, of, keep, leave }: ChoicesProps) => {
  const when = row.status === 'failed' ? 'Visitors see it at once' : 'Visitors see it at its time'
  return (
    <div class="choices">
      <Button
        needs="publish"
        title={`${when}, in place of the newer value.`}
        onClick={() => void decideScheduled(row, 'draft', of)}
      >
        {keep}
      </Button>
      <Button
        needs="publish"
        title={`${when}, without the older value.`}
        onClick={() => void decideScheduled(row, 'site', of)}
      >
        {leave}
      </Button>
    </div>
  )
}

/** What a scheduled publish and the site have both: both values, and the choice for all of them. */
export function ScheduledConflicts({ row }: { readonly row: Scheduled }) {
  const { status, conflicts = [], actor, createdAt } = row
  if (conflicts.length === 0 || status === 'publishing') return null
  const { keep, text } = ownerOf(row)
  const here = <Made where="In this publish" by={actor && byWhom({ actor })} at={createdAt} />
  return (
    <>
      {conflicts.map((conflict) => (
        <ConflictRow key={conflict.id} conflict={conflict} here={here}>
          {null}
        </ConflictRow>
      ))}
      <p dir="auto">Choose: publish {text}, or drop it.</p>
      <Choices row={row} of={conflicts} keep={`Use ${keep}`} leave="Publish the rest" />
    </>
  )
}

interface WarningsProps {
  /** Whether a publish of now would send the page, or the settings of the site. */
  readonly isSent: (slug: string) => boolean
}

/**
 * Which scheduled publishes have an older value than what would be published now, and the choice before it is
 * sent.
 */
export const ScheduledWarnings = ({ isSent }: WarningsProps) =>
  [...scheduled.value, ...scheduledElsewhere.value].map((row) => {
    const open = (row.draftConflicts ?? []).filter(({ slug }) => isSent(slug))
    if (open.length === 0 || row.status !== 'scheduled') return null
    const { whose, keep } = ownerOf(row)
    const isElsewhere = scheduledElsewhere.value.includes(row)
    const places = open.map((each) => [pageOf(each), partOf(each, blockOf(each))].filter(Boolean).join(', '))
    return (
      <section key={row.id} aria-label="Scheduled with an older value">
        <p class="warning">
          <bdi>{whose}</bdi> publish of {momentOf(row.at)}
          {isElsewhere && ` from the draft “${sessionOf(row.session)}”`} has an older value:{' '}
          {[...new Set(places)].join('; ')}.
        </p>
        <Choices row={row} of={open} keep={`Keep ${keep}`} leave="Take it out" />
      </section>
    )
  })
