import type { ComponentChildren } from 'preact'
import { whyNot, type Permission } from '../stores/access.ts'
import { say } from '../stores/toast.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface Pressable {
  readonly onClick?: (() => void) | undefined
  readonly disabled?: boolean | undefined
  /** What the token must allow; else the button stays, and says why it does nothing. */
  readonly needs?: Permission | undefined
}

/** The properties of a button, also of one that is not allowed. */
function pressable({ needs, onClick, disabled }: Pressable) {
  const why = needs === undefined ? undefined : whyNot(needs)
  if (why === undefined) return { onClick, disabled }
  const explain = (event: Event): void => {
    event.preventDefault()
    say(why)
  }
  return { onClick: explain, 'aria-disabled': true, title: why }
}

interface ButtonProps extends Pressable {
  readonly look?: 'main' | 'line' | 'plain'
  readonly type?: 'button' | 'submit'
  readonly title?: string | undefined
  readonly children: ComponentChildren
}

export const Button = ({ look = 'line', type = 'button', title, children, ...rest }: ButtonProps) => (
  <button type={type} class={`button ${look}`} title={title} {...pressable(rest)}>
    {children}
  </button>
)

interface IconButtonProps extends Pressable {
  readonly name: IconName
  /** What the button does, for people and screen readers. */
  readonly label: string
}

export const IconButton = ({ name, label, ...rest }: IconButtonProps) => (
  <button type="button" class="button icon-button" title={label} aria-label={label} {...pressable(rest)}>
    <Icon name={name} />
  </button>
)

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly text: ComponentChildren; readonly title: string }[]
  readonly value: T
  readonly onChoose: (value: T) => void
}

/** A row of buttons of which one is pressed. */
export const Choice = <T extends string>({ label, options, value, onChoose }: ChoiceProps<T>) => (
  <div class="choice" role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        title={option.title}
        aria-label={typeof option.text === 'string' ? undefined : option.title}
        aria-pressed={option.value === value}
        onClick={() => onChoose(option.value)}
      >
        {option.text}
      </button>
    ))}
  </div>
)
