import { Button } from '../parts/button.tsx'
import { pages as draftPages } from '../stores/draft.ts'
import { authors, type PageDiff } from '../stores/review.ts'
import { moveBack, reset, resetTexts } from './intents.ts'
import { PageChanges } from './page-changes.tsx'

/** The id of the card of a page. */
export const cardOf = (slug: string): string => `changes of ${slug}`

const statuses: Readonly<Record<string, string>> = { added: 'new page', removed: 'deleted' }

/** Everything that a publish would change on one page, with the way back for each change. */
export function PageCard({ page }: { readonly page: PageDiff }) {
  const { slug, status, titleAfter, titleBefore } = page
  const title =
    titleAfter ?? draftPages.value.find((each) => each.slug === slug)?.title ?? titleBefore ?? slug
  const by = [...(authors.value.get(slug) ?? [])]
  return (
    <section class="card" id={cardOf(slug)} tabIndex={-1}>
      <h2>
        <span dir="auto">{title}</span> <small>{slug}</small>{' '}
        {statuses[status] && <b class={status}>{statuses[status]}</b>}
        <span class="grow" />
        {by.length > 0 && <small>by {by.join(', ')}</small>}
        <Button look="plain" needs="edit" onClick={() => void reset(slug)}>
          {status === 'added' ? 'Delete page' : status === 'removed' ? 'Keep page' : 'Revert page'}
        </Button>
      </h2>
      {status === 'modified' && (
        <PageChanges
          page={page}
          actions={(block, move) => {
            const hasContent =
              block === undefined || (block.status !== 'unchanged' && block.status !== 'moved')
            return (
              <>
                <span class="grow" />
                {move && block && (
                  <Button look="plain" needs="edit" onClick={() => void moveBack(page, block.blockId)}>
                    Move back
                  </Button>
                )}
                {hasContent && (
                  <Button
                    look="plain"
                    needs="edit"
                    onClick={() => void (block ? reset(slug, block.blockId) : resetTexts(page))}
                  >
                    Revert this
                  </Button>
                )}
              </>
            )
          }}
        />
      )}
    </section>
  )
}
