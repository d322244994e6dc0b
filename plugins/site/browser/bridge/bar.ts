import { drawIcon, type icons } from './icons.ts'

export interface Tool {
  readonly action: string
  readonly label: string
  /** A symbol, or else a word. */
  readonly icon?: keyof typeof icons
  readonly text?: string
  readonly run: () => void
  readonly isDisabled?: boolean
  /** How long the button asks for a confirmation. */
  readonly confirmMs?: number
  readonly data?: Readonly<Record<string, string>>
}

/** A tool with a symbol. */
export const toTool = (
  action: string,
  label: string,
  icon: keyof typeof icons,
  run: () => void,
  more: Pick<Tool, 'isDisabled' | 'confirmMs' | 'data'> = {},
): Tool => ({ action, label, icon, run, ...more })

/** A row of buttons. */
export function toBar(tools: readonly Tool[], confirms: () => boolean): HTMLElement {
  const element = document.createElement('div')
  element.className = 'tools'
  element.append(...tools.map((tool) => toButton(tool, confirms)))
  return element
}

function toButton(tool: Tool, confirms: () => boolean): HTMLButtonElement {
  const button = document.createElement('button')
  const reset = (): void => {
    Object.assign(button.dataset, { ...tool.data, editorAction: tool.action })
    button.replaceChildren(tool.icon ? drawIcon(tool.icon) : (tool.text ?? ''))
    button.ariaLabel = tool.label
    button.title = tool.label
  }
  reset()
  button.type = 'button'
  button.disabled = tool.isDisabled === true
  button.addEventListener('click', () => {
    const asks = tool.confirmMs !== undefined && confirms() && button.dataset['editorAction'] !== 'confirm'
    if (!asks) return tool.run()
    button.dataset['editorAction'] = 'confirm'
    button.textContent = 'Delete?'
    button.ariaLabel = `Confirm: ${tool.label}`
    setTimeout(reset, tool.confirmMs)
  })
  return button
}
