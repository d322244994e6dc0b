import { useState } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { isComposing } from '../../parts/composing.ts'
import { linkHint, PickPage } from '../link.tsx'
import { setLink, type Command } from './editor.ts'
import { safeHref } from './href.ts'

interface LinkDialogProps {
  readonly href: string | undefined
  readonly run: (command: Command) => void
  readonly onClose: () => void
}

/** Asks where the selected words lead. */
export function LinkDialog({ href, run, onClose }: LinkDialogProps) {
  const [typed, setTyped] = useState(href ?? '')
  const set = (address: string | undefined): void => {
    onClose()
    run(setLink(address))
  }
  const isSafe = safeHref(typed) !== undefined
  return (
    <Dialog label="Link" onClose={onClose}>
      <div class="field link-dialog">
        <label for="link-address">Page or web address</label>
        <div class="beside">
          <input
            id="link-address"
            dir="ltr"
            placeholder="/page or https://"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !isComposing(event) && isSafe) set(typed.trim())
            }}
          />
          <PickPage onPick={setTyped} />
        </div>
        <small class="hint">{linkHint(typed)}</small>
        <div class="beside">
          <Button variant="main" disabled={!isSafe} onClick={() => set(typed.trim())}>
            Set link
          </Button>
          {href !== undefined && <Button onClick={() => set(undefined)}>Remove link</Button>}
        </div>
      </div>
    </Dialog>
  )
}
