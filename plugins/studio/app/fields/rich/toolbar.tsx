import { IconButton } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icons.ts'
import { commands, setLevel, type Command, type Status } from './editor.ts'

interface ToolbarProps {
  readonly status: Status
  /** The id of the name of the field. */
  readonly label: string
  readonly run: (command: Command) => void
  readonly onLink: () => void
}

const buttons: readonly {
  readonly name: keyof typeof commands & keyof Status
  readonly icon: IconName
  readonly text: string
}[] = [
  { name: 'strong', icon: 'bold', text: 'Bold' },
  { name: 'em', icon: 'italic', text: 'Italic' },
  { name: 'bullets', icon: 'list', text: 'List' },
  { name: 'numbers', icon: 'list-ordered', text: 'Numbered list' },
]
/** The text keeps the caret while a button is pressed. */
const keepCaret = (event: Event): void => event.preventDefault()

/** What can be done with the selected words. */
export function Toolbar({ status, label, run, onLink }: ToolbarProps) {
  return (
    <div class="rich-tools" role="toolbar" aria-labelledby={label}>
      <select
        aria-label="Kind of paragraph"
        value={String(status.level)}
        onChange={({ currentTarget }) => run(setLevel(Number(currentTarget.value)))}
      >
        <option value="0">Text</option>
        {[1, 2, 3, 4, 5, 6].map((level) => (
          <option key={level} value={String(level)}>
            Heading {level}
          </option>
        ))}
      </select>
      {buttons.map(({ name, icon, text }) => (
        <IconButton
          key={name}
          name={icon}
          label={text}
          aria-pressed={status[name] === true}
          onMouseDown={keepCaret}
          onClick={() => run(commands[name])}
        />
      ))}
      <IconButton
        name="link"
        label="Link"
        title="Link (Ctrl+K)"
        aria-pressed={status.href !== undefined}
        disabled={!status.hasWords}
        onMouseDown={keepCaret}
        onClick={onLink}
      />
    </div>
  )
}
