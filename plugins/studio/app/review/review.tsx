import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { followFindings } from '../stores/findings.ts'
import { countIn, countOf, diff, failure, followSurroundings, loadDiff, titleOf } from '../stores/review.ts'
import { Findings } from './findings.tsx'
import { cardOf, PageCard } from './page-card.tsx'
import { focusPublish, PublishPanel } from './publish-panel.tsx'
import { SiteCard, siteCard } from './site-card.tsx'

const focusOn = (id: string): void => document.getElementById(id)?.focus()
const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

/** What a publish would change, page by page, and the publish itself. */
export function Review() {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = diff.value
  useEffect(() => {
    // A text that is still being typed is stored first.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    void loadDiff()
    const ends = [followSurroundings(), followFindings()]
    return () => ends.forEach((end) => end())
  }, [])
  useEffect(() => heading.current?.focus(), [shown === undefined])
  const failed = failure.value !== undefined && (
    <p class="failure" role="alert">
      {failure.value} <Button onClick={() => void loadDiff()}>Try again</Button>
    </p>
  )
  if (!shown)
    return failed ? <div class="view">{failed}</div> : <div class="view skeleton" aria-busy="true" />
  const pages = shown.pages.filter(({ status }) => status !== 'unchanged')
  const settings = shown.siteConfig.fieldDiffs
  return (
    <div class="view review">
      <nav class="overview" aria-label="Changed pages">
        <h1 tabIndex={-1} ref={heading}>
          Review
        </h1>
        <span class="skip">
          <Button onClick={focusPublish}>Go to publishing</Button>
        </span>
        <ul>
          {pages.map(({ slug, ...page }) => (
            <li key={slug}>
              <Button look="plain" onClick={() => focusOn(cardOf(slug))}>
                <span dir="auto">{titleOf(slug)}</span>{' '}
                <small>{statuses[page.status] ?? countIn({ slug, ...page })}</small>
              </Button>
            </li>
          ))}
          {settings.length > 0 && (
            <li>
              <Button look="plain" onClick={() => focusOn(siteCard)}>
                Header and menu <small>{settings.length}</small>
              </Button>
            </li>
          )}
        </ul>
      </nav>
      <div class="cards">
        {failed}
        {shown.notice !== undefined && <p class="warning">{shown.notice}</p>}
        {countOf(shown) === 0 && <p class="soft">There are no changes to review.</p>}
        {pages.map((page) => (
          <PageCard key={page.slug} page={page} />
        ))}
        {settings.length > 0 && <SiteCard diffs={settings} />}
      </div>
      <PublishPanel shown={shown} />
      <Findings />
    </div>
  )
}
