import { PageChanges } from '../review/page-changes.tsx'
import { Choice } from '../parts/button.tsx'
import { against, type PageThen as Read, pageThen } from '../stores/history.ts'

const sides = [
  { value: 'before', text: 'What it changed', title: 'Compare with the page before' },
  { value: 'now', text: 'Against now', title: 'Compare with the page now' },
] as const

/** The chosen page as it was, below what the change did to it. */
export function PageThen() {
  const shown = pageThen.value
  if (!shown) return <section class="skeleton" aria-busy="true" />
  const { page, address } = shown
  return (
    <section class="page-then" aria-label="The page then">
      <Choice
        label="Compare with"
        options={sides}
        value={against.value}
        onChoose={(side) => (against.value = side)}
      />
      <Changes page={page} />
      {address === undefined ? (
        <p class="soft">The page did not exist then.</p>
      ) : (
        <iframe title="The page then" src={address} />
      )}
    </section>
  )
}

function Changes({ page: { changes } }: { readonly page: Read }) {
  if (!changes || changes.status === 'unchanged') return <p class="soft">Nothing differs on this page.</p>
  if (changes.status !== 'modified')
    return <p>{changes.status === 'added' ? 'The page is new.' : 'The page is deleted.'}</p>
  return (
    <div class="card">
      <PageChanges page={changes} />
    </div>
  )
}
