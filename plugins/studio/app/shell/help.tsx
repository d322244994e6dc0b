import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { keyParts } from '../parts/key-names.ts'
import { help } from '../stores/ui.ts'
import { isSingle, keys, singleKeys } from './keys.ts'

const close = (): void => void (help.value = false)

/** All keys, and the switch for those of one character. */
export function Help() {
  if (!help.value) return null
  return (
    <Dialog label="Keys" onClose={close}>
      <div class="help">
        <h2>Keys</h2>
        {Object.entries(keys).map(([where, list]) => (
          <section key={where} aria-label={where}>
            <h3>{where}</h3>
            <dl>
              {list.map((key) => (
                <div key={key.text} class={isSingle(key) && !singleKeys.value ? 'off' : undefined}>
                  <dt>{key.text}</dt>
                  <dd>
                    {keyParts(key.keys).map((part) => (
                      <kbd key={part}>{part}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <label class="op">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={({ currentTarget }) => (singleKeys.value = currentTarget.checked)}
          />
          <span>Keys of one character: / and ?</span>
        </label>
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  )
}
