/** How keys are printed on this keyboard. */

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const names: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  Shift: isMac ? '⇧' : 'Shift',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: isMac ? '⌫' : 'Backspace',
  Escape: 'Esc',
}
/** The parts of a key as they are printed on this keyboard. */
export const keyParts = (key: string): readonly string[] => key.split('+').map((part) => names[part] ?? part)
export const nameOfKey = (key: string): string => keyParts(key).join(isMac ? '' : '+')
