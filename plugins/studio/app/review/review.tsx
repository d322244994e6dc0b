import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { followFindings } from './findings-store.ts'
import {
  countIn,
  countOf,
  diff,
  failure,
  followSurroundings,
  loadDiff,
  pagesBySlug,
  titleOf,
  type Diff,
  type PageDiff,
} from '../stores/review.ts'
import { followFiles } from '../stores/changed-files.ts'
import { forget, isReverted } from '../stores/reverted.ts'
import { Conflicts, conflictsId } from './conflicts.tsx'
import { FileLines } from './file-lines.tsx'
import { Findings } from './findings.tsx'
import { followConfirmed, putBack } from './intents.ts'
import { cardOf, PageCard } from './page-card.tsx'
import { statuses } from './page-changes.tsx'
import { focusPublish, PublishPanel } from './publish-panel.tsx'
import { SiteCard, siteCard } from './site-card.tsx'

const focusOn = (id: string): void => document.getElementById(id)?.focus()

const cardsPerPaint = 100

/** Returns how many of the cards to render: more after each paint, until all are there. */
function usePiecewise(length: number): number {
  const [count, setCount] = useState(cardsPerPaint)
  useEffect(() => {
    if (count >= length) return undefined
    const timer = setTimeout(() => setCount(count + cardsPerPaint))
    return () => clearTimeout(timer)
  }, [count, length])
  return count
}

/** What a publish would change, page by page, and the publish itself. */
export function Review() {
  const heading = useRef<HTMLHeadingElement>(null)
  const order = useRef<readonly string[]>([])
  const shown = diff.value
  const changed = new Set(shown?.pages.flatMap(({ slug, status }) => (status === 'unchanged' ? [] : [slug])))
  // Cards keep their places while they are reverted one by one.
  order.current = [...new Set([...order.current, ...changed])].filter(
    (slug) => changed.has(slug) || isReverted(slug),
  )
  const count = usePiecewise(order.current.length)
  useEffect(() => {
    // A text that is still being typed is stored first.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    void loadDiff()
    forget()
    const ends = [followSurroundings(), followFiles(), followFindings()]
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
  const pages = order.current
    .slice(0, count)
    .map((slug): PageDiff => pagesBySlug.value.get(slug) ?? { slug, status: 'unchanged', blockDiffs: [] })
  const settings = shown.siteConfig.fieldDiffs
  return (
    <div class="view review">
      <div class="review-left">
        <nav class="overview" aria-label="Changed pages">
          <h1 tabIndex={-1} ref={heading}>
            Review
          </h1>
          <span class="skip">
            <Button onClick={focusPublish}>Go to publishing</Button>
          </span>
          <ul>
            {shown.conflicts.length > 0 && (
              <li>
                <Button variant="plain" onClick={() => focusOn(conflictsId)}>
                  To decide <small>{shown.conflicts.length}</small>
                </Button>
              </li>
            )}
            {pages
              .filter(({ status }) => status !== 'unchanged')
              .map((page) => (
                <li key={page.slug}>
                  <Button variant="plain" onClick={() => focusOn(cardOf(page.slug))}>
                    <span dir="auto">{titleOf(page.slug)}</span>{' '}
                    <small>{statuses[page.status] ?? countIn(page)}</small>
                  </Button>
                </li>
              ))}
            {settings.length > 0 && (
              <li>
                <Button variant="plain" onClick={() => focusOn(siteCard)}>
                  Site settings <small>{settings.length}</small>
                </Button>
              </li>
            )}
          </ul>
        </nav>
        <Findings />
      </div>
      <div class="cards">
        {failed}
        {shown.notice !== undefined &&
          (shown.branch ? (
            <OtherBranch {...shown.branch} />
          ) : shown.shrunk ? (
            <Shrunk />
          ) : (
            <p class="warning">{shown.notice}</p>
          ))}
        <Conflicts conflicts={shown.conflicts} />
        {pages.map((page) => (
          <PageCard key={page.slug} page={page} />
        ))}
        <SiteCard diffs={settings} />
        <FileLines />
        {countOf(shown) === 0 && (
          <p class="card soft">
            There are no changes to review. Your changes appear here before visitors see them.
          </p>
        )}
      </div>
      <PublishPanel shown={shown} />
    </div>
  )
}

/** Another branch in the folder of a website is compared, and followed only when a person says so. */
const OtherBranch = ({ from, to }: NonNullable<Diff['branch']>) => (
  <section class="card">
    <p class="warning">
      The folder has the branch {to} now. This draft has changes that were made on {from}.
    </p>
    <p>Nothing is published until you choose: check out {from} again, or take the draft along.</p>
    <Button
      needs="edit"
      title="Changes the draft only."
      onClick={() => void followConfirmed(`The draft follows ${to}`)}
    >
      Follow {to}
    </Button>
  </section>
)

/** A site that has lost most of its pages is compared, and followed only when a person says so. */
const Shrunk = () => (
  <section class="card">
    <p class="warning">The site has lost most of its pages. The draft still has them.</p>
    <p>Nothing is published until you choose.</p>
    <Button
      needs="edit"
      title="Changes the draft only."
      onClick={() => void followConfirmed('The draft has the pages of the site')}
    >
      Remove them from the draft
    </Button>
    <Button needs="publish" title="Publishes all of the draft." onClick={() => void putBack()}>
      Put them back on the site
    </Button>
  </section>
)
