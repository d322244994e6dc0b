import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { errors, unsolved } from './findings-store.ts'
import { go } from '../stores/go.ts'
import { publish } from '../stores/publishing.ts'
import { focusChecks } from './findings.tsx'
import { publishSolved } from './intents.ts'

/** The id of the panel of the publish. */
export const publishPanel = 'publish-panel'

interface PublishButtonProps {
  readonly text: string
  readonly disabled: boolean
}

/** Stays in the panel when its button is gone. */
const keepFocus = (): void => {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById(publishPanel)?.focus()
  })
}

/** Publishes what is reviewed. With errors in it, it asks once more in its own place. */
export function PublishButton({ text, disabled }: PublishButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const start = async (): Promise<void> => {
    const isDone = await publishSolved()
    setAsking(!isDone)
    if (isDone) keepFocus()
  }
  // The question is read aloud, and its answers are the next two stops.
  useEffect(() => {
    if (isAsking) place.current?.focus()
  }, [isAsking])
  const leave = (run: () => unknown): void => {
    setAsking(false)
    void run()
  }
  const back = () => requestAnimationFrame(() => place.current?.querySelector('button')?.focus())
  if (!isAsking || unsolved.value === '')
    return (
      <div ref={place}>
        <Button
          variant="main"
          needs="publish"
          disabled={disabled}
          title="Visitors see it at once."
          onClick={() => void start()}
        >
          {text}
        </Button>
      </div>
    )
  const [first, ...others] = errors.value
  return (
    <div
      ref={place}
      class="ask"
      role="group"
      aria-labelledby="unsolved"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && leave(back)}
    >
      <p id="unsolved" class="failure">
        {unsolved}
      </p>
      <Button
        variant="main"
        needs="publish"
        disabled={disabled}
        onClick={() => leave(() => publish().then(keepFocus))}
      >
        Publish anyway
      </Button>
      <Button
        onClick={() =>
          leave(() => (first && others.length === 0 ? go({ slug: '/', ...first }) : focusChecks()))
        }
      >
        {others.length === 0 ? 'Show it' : 'Show them'}
      </Button>
    </div>
  )
}
