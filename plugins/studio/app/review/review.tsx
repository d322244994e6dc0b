import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { countIn, countOf, diff, failure, followSurroundings, loadDiff, type Diff } from '../stores/review.ts'
import { pages as draftPages } from '../stores/draft.ts'
import { Difference } from './difference.tsx'
import { Findings } from './findings.tsx'
import { cardOf, PageCard } from './page-card.tsx'
import { PublishPanel } from './publish-panel.tsx'

/** What a publish would change, page by page, and the publish itself. */
export function Review() {
  useEffect(() => {
    // A text that is still being typed is stored first.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    void loadDiff()
    return followSurroundings()
  }, [])
  const shown = diff.value
  const failed = failure.value !== undefined && (
    <p class="failure" role="alert">
      {failure.value} <Button onClick={() => void loadDiff()}>Try again</Button>
    </p>
  )
  if (!shown)
    return failed ? <div class="view">{failed}</div> : <div class="view skeleton" aria-busy="true" />
  const pages = shown.pages.filter(({ status }) => status !== 'unchanged')
  return (
    <div class="view review">
      <nav class="overview" aria-label="Changed pages">
        <h1>Review</h1>
        <ul>
          {pages.map((page) => (
            <li key={page.slug}>
              <Button look="plain" onClick={() => document.getElementById(cardOf(page.slug))?.focus()}>
                <span dir="auto">{titleOf(page)}</span>{' '}
                <small>{statuses[page.status] ?? countIn(page)}</small>
              </Button>
            </li>
          ))}
        </ul>
        <Findings />
      </nav>
      <div class="cards">
        {failed}
        {shown.notice !== undefined && <p class="warning">{shown.notice}</p>}
        {countOf(shown) === 0 && <p class="soft">Everything is published.</p>}
        {pages.map((page) => (
          <PageCard key={page.slug} page={page} />
        ))}
        {shown.siteConfig.fieldDiffs.length > 0 && (
          <section class="card">
            <h2>Header and navigation</h2>
            {shown.siteConfig.fieldDiffs.map(({ path, kind, before, after }) => (
              <Difference key={path} name={path} kind={kind} before={before} after={after} />
            ))}
          </section>
        )}
      </div>
      <PublishPanel shown={shown} />
    </div>
  )
}

type Page = Diff['pages'][number]

const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

const titleOf = ({ slug, titleAfter, titleBefore }: Page): string =>
  titleAfter ?? draftPages.value.find((each) => each.slug === slug)?.title ?? titleBefore ?? slug
