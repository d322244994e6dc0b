import { useState } from 'preact/hooks'
import { page, slug } from '../stores/draft.ts'
import { setTitle } from './intents.ts'

/** The settings of the page, shown while no block is selected. */
export function PageSettings() {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const title = page.value?.title ?? ''
  if (!page.value) return <p class="soft pad">There is no page at {slug.value}.</p>
  const leave = (): void => {
    if (typed !== undefined && typed.trim() !== '' && typed !== title) void setTitle(typed)
    setTyped(undefined)
  }
  return (
    <form class="fields" onSubmit={(event) => event.preventDefault()}>
      <h2>
        Page <small>{slug.value}</small>
      </h2>
      <div class="field">
        <label for="page-title">Title</label>
        <input
          id="page-title"
          dir="auto"
          value={typed ?? title}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={leave}
        />
      </div>
      <p class="soft">Click something on the page to edit it.</p>
    </form>
  )
}
