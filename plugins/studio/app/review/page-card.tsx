import { computed } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { placeName } from '../stores/documents.ts'
import { authorsOf, isNamedOn } from '../stores/log.ts'
import { linksTo, renamesIn, withoutFollowed } from './followed-links.ts'
import { diff, titleOf, type PageDiff } from '../stores/review.ts'
import { config, redirects } from '../stores/site-config.ts'
import { revertedParts, revertedWords } from '../stores/reverted.ts'
import { Tick } from './tick.tsx'
import { moveBack, reset, resetText } from './intents.ts'
import { NewPage, useContent } from './new-content.tsx'
import { PageChanges, Revert, type RevertedPart } from './page-changes.tsx'

const renames = computed(() => renamesIn(diff.value?.pages ?? []))

/** The id of the card of a page. */
export const cardOf = (slug: string): string => `changes of ${slug}`

/** Whether a difference is shown with what is beside it on the page: new blocks, and rows that moved. */
const hasContent = ({ status, fieldDiffs = [] }: PageDiff['blockDiffs'][number]): boolean =>
  status === 'added' || fieldDiffs.some(({ path }) => path.includes('['))

const statuses: Readonly<Record<string, string>> = { added: 'new page', removed: 'deleted' }
/** Of more new pages, only those that a person asks for are read. */
const mostShown = 5

/** Everything that a publish would change on one page, with the way back for each change. */
export function PageCard({ page: whole }: { readonly page: PageDiff }) {
  const { page, counts } = withoutFollowed(whole, renames.value)
  const { slug, slugBefore, status, blockDiffs } = page
  const [isRequested, setRequested] = useState(false)
  const isShown = isRequested || (diff.value?.summary.pagesAdded ?? 0) <= mostShown
  const by = authorsOf(slug)
  const needsContent = status === 'modified' && blockDiffs.some(hasContent)
  const content = useContent(slug, needsContent)
  return (
    <section class="card" id={cardOf(slug)} tabIndex={-1}>
      <h2>
        {status !== 'unchanged' && <Tick slug={slug} name={titleOf(slug)} />}
        <span dir="auto">{titleOf(slug)}</span> <small>{placeName(slug)}</small>{' '}
        {statuses[status] && <b class={status}>{statuses[status]}</b>}
        <span class="grow" />
        {by.length > 0 && status !== 'unchanged' && (
          <small>
            by <bdi>{by.join(', ')}</bdi>
          </small>
        )}
        {status === 'unchanged' ? (
          <small>{revertedWords}</small>
        ) : (
          <Revert onRevert={() => reset(slug)}>
            {status === 'added' ? 'Delete page' : status === 'removed' ? 'Keep page' : 'Revert page'}
          </Revert>
        )}
      </h2>
      {status === 'added' &&
        (isShown ? (
          <NewPage slug={slug} />
        ) : (
          <Button onClick={() => setRequested(true)}>Show the page</Button>
        ))}
      {slugBefore !== undefined && <Renamed slug={slug} from={slugBefore} />}
      {[...counts].map(
        ([to, count]) => to !== slug && <Follows key={to} count={count} title={titleOf(to)} />,
      )}
      {(status === 'modified' || status === 'unchanged') && (
        <PageChanges
          page={page}
          isNamed={isNamedOn(slug)}
          reverted={revertedParts(slug)}
          content={content}
          actions={(part) => <Ways page={page} {...part} />}
        />
      )}
    </section>
  )
}

/** What comes with another address of a page: the links to it, and the way there from the former one. */
function Renamed({ slug, from }: { readonly slug: string; readonly from: string }) {
  const count = linksTo(slug, diff.value?.pages ?? [])
  const leads = redirects.value?.some(([old]) => old === from)
  return (
    <p>
      {count > 0 && `${linksFollow(count)}. `}
      {leads && (
        <>
          The old address <bdi>{from}</bdi> leads here.
        </>
      )}
      {config.value && !redirects.value && (
        <>
          The site takes no redirects, so visitors do not find <bdi>{from}</bdi> any more.
        </>
      )}
    </p>
  )
}

const linksFollow = (count: number): string => (count === 1 ? '1 link follows' : `${count} links follow`)

const Follows = ({ count, title }: { readonly count: number; readonly title: string }) => (
  <p class="soft">
    {linksFollow(count)} “<bdi>{title}</bdi>” to its new address.
  </p>
)

/** The ways back from a change. */
function Ways({ page, text, block, move, field, count = 0 }: RevertedPart & { readonly page: PageDiff }) {
  const { slug } = page
  if (text) return <Revert onRevert={() => resetText(slug, text.path, text.before)}>Revert this</Revert>
  if (!block) return null
  if (field !== undefined)
    return <Revert onRevert={() => reset(slug, block.blockId, field)}>Revert this</Revert>
  const isChanged = block.status !== 'unchanged' && block.status !== 'moved'
  return (
    <>
      <span class="grow" />
      {move && <Revert onRevert={() => moveBack(page, block.blockId)}>Move back</Revert>}
      {isChanged && (
        <Revert onRevert={() => reset(slug, block.blockId)}>
          {count > 1 ? 'Revert block' : 'Revert this'}
        </Revert>
      )}
    </>
  )
}
