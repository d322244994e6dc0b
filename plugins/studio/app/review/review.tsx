import { Button } from '../parts/button.tsx'
import { nameOf } from '../stores/block-types.ts'
import { pages as draftPages } from '../stores/draft.ts'
import { countOf, diff, failure, loadDiff, publish, publishing, type Diff } from '../stores/review.ts'
import { site } from '../stores/site.ts'
import { Difference } from './difference.tsx'

/** What a publish would change, page by page, and the publish itself. */
export function Review() {
  const shown = diff.value
  if (failure.value !== undefined)
    return (
      <div class="view">
        <p class="failure" role="alert">
          {failure.value} <Button onClick={() => void loadDiff()}>Try again</Button>
        </p>
      </div>
    )
  if (!shown) return <div class="view skeleton" aria-busy="true" />
  const count = countOf(shown)
  const pages = shown.pages.filter(({ status }) => status !== 'unchanged')
  return (
    <div class="view review">
      <div class="cards">
        <h1>Review</h1>
        {shown.notice !== undefined && <p class="warning">{shown.notice}</p>}
        {count === 0 && <p class="soft">Everything is published.</p>}
        {pages.map((page) => (
          <PageCard key={page.slug} page={page} />
        ))}
        {shown.siteConfig.fieldDiffs.length > 0 && (
          <section class="card">
            <h2>Header and navigation</h2>
            {shown.siteConfig.fieldDiffs.map(({ path, before, after }) => (
              <Difference key={path} name={path} before={before} after={after} />
            ))}
          </section>
        )}
      </div>
      <PublishPanel shown={shown} count={count} />
    </div>
  )
}

function PageCard({ page }: { readonly page: Diff['pages'][number] }) {
  const { slug, status, titleBefore, titleAfter, metaDiffs = [], blockDiffs } = page
  return (
    <section class="card">
      <h2>
        {titleAfter ?? draftPages.value.find((each) => each.slug === slug)?.title ?? slug}{' '}
        <small>{slug}</small> {status !== 'modified' && <b class={status}>{status}</b>}
      </h2>
      {titleBefore !== undefined && <Difference name="Title" before={titleBefore} after={titleAfter} />}
      {metaDiffs.map(({ path, before, after }) => (
        <Difference key={path} name={path} before={before} after={after} />
      ))}
      {blockDiffs
        .filter((block) => block.status !== 'unchanged')
        .map((block) => (
          <div key={block.blockId} class="block-diff">
            <h3>
              {nameOf(block.type)} <small>{block.status}</small>
            </h3>
            {(block.fieldDiffs ?? []).map(({ path, before, after }) => (
              <Difference key={path} name={path} before={before} after={after} />
            ))}
          </div>
        ))}
    </section>
  )
}

function PublishPanel({ shown, count }: { readonly shown: Diff; readonly count: number }) {
  const address = site.value?.previewUrl
  const host = address === undefined ? (site.value?.siteName ?? 'the site') : new URL(address).host
  const { state, text } = publishing.value
  const removed = shown.pages.filter(({ status }) => status === 'removed')
  return (
    <aside class="publish" aria-label="Publish">
      <p>
        {shown.summary.pagesModified} changed, {shown.summary.pagesAdded} new pages.
      </p>
      {removed.length > 0 && <p class="removed">Deleted: {removed.map(({ slug }) => slug).join(', ')}</p>}
      <Button look="main" disabled={count === 0 || state === 'running'} onClick={() => void publish()}>
        {state === 'running'
          ? 'Publishing…'
          : `Publish ${count} ${count === 1 ? 'change' : 'changes'} to ${host}`}
      </Button>
      <p role="status" class={state === 'failed' ? 'failure' : undefined}>
        {text}
      </p>
      {state === 'done' && address !== undefined && (
        <p>
          <a href={address} target="_blank" rel="noreferrer">
            {host}
          </a>
        </p>
      )}
    </aside>
  )
}
