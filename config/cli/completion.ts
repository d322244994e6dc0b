import { UsageError, defineCommand, type Command, type Flag } from './shared/command.ts'

const programs = ['content-orchestrator', 'orchestrator']

const flagsOf = ({ flags }: Command): readonly [string, Flag][] => Object.entries<Flag>({ ...flags, help: { help: 'Prints the help.' } })
/** A text between single quotes; no shell reads anything in it. */
const quoted = (text: string, escaped = String.raw`'\''`): string => `'${text.replaceAll("'", escaped)}'`

/** A word that may come next, and what it is. */
type Next = readonly [word: string, says: string]

/** What may follow the words that were typed; a command has one name or two, and flags after it. */
function following(commands: readonly Command[]): readonly { readonly after: string; readonly isWhole: boolean; readonly next: readonly Next[] }[] {
  const names = commands.map(({ name, summary }) => ({ words: name.split(' '), summary }))
  const firsts = new Map(names.map(({ words: [first = '', second], summary }) => [first, second === undefined ? summary : `Further words: ${names.filter(({ words }) => words[0] === first).map(({ words }) => words[1]).join(', ')}.`]))
  const doubles = Map.groupBy(names.filter(({ words }) => words.length > 1), ({ words: [first = ''] }) => first)
  return [
    { after: '', isWhole: true, next: [...firsts] },
    ...[...doubles].map(([after, found]) => ({ after, isWhole: true, next: found.map(({ words: [, second = ''], summary }): Next => [second, summary]) })),
    ...commands.map((command) => ({ after: command.name, isWhole: false, next: flagsOf(command).map(([name, { help }]): Next => [`--${name}`, help]) })),
  ]
}

const pattern = (after: string, isWhole: boolean): string => (isWhole ? `'${after}'` : `'${after}'|'${after} '*`)

const bash = (commands: readonly Command[]): string => `_content_orchestrator() {
  local found
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${following(commands).map(({ after, isWhole, next }) => `    ${pattern(after, isWhole)}) found="${next.map(([word]) => word).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _content_orchestrator ${programs.join(' ')}`

const zsh = (commands: readonly Command[]): string => `_content_orchestrator() {
  local -a found
  case "\${words[2,CURRENT-1]}" in
${following(commands).map(({ after, isWhole, next }) => `    ${pattern(after, isWhole)}) found=(${next.map(([word, says]) => quoted(`${word}:${says.replaceAll(':', String.raw`\:`)}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'word' found || _files
}
compdef _content_orchestrator ${programs.join(' ')}`

const fish = (commands: readonly Command[]): string =>
  programs.flatMap((program) =>
    following(commands).flatMap(({ after, isWhole, next }) => {
      const seen = after.split(' ').filter(Boolean).map((word) => `__fish_seen_subcommand_from ${word}`)
      const open = isWhole ? [`not __fish_seen_subcommand_from ${next.map(([word]) => word).join(' ')}`] : []
      return next.map(([word, says]) => {
        const value = commands.find(({ name }) => name === after)?.flags[word.slice(2)]?.value
        const what = word.startsWith('--') ? `-l ${word.slice(2)}${value === undefined ? '' : ' -r'}` : `-f -a ${word}`
        return `complete -c ${program} -n '${[...seen, ...open].join('; and ')}' ${what} -d ${quoted(says, String.raw`\'`)}`
      })
    }),
  ).join('\n')

const shells: Readonly<Record<string, (all: readonly Command[]) => string>> = { bash, zsh, fish }

/** The command that prints how shells complete these commands. */
export const completionOf = (commands: () => readonly Command[]) => defineCommand({
  name: 'completion',
  summary: 'Prints a script that completes commands and flags in bash, zsh or fish.',
  operand: 'SHELL',
  flags: {},
  async run({ operand = '' }, io) {
    const script = Object.hasOwn(shells, operand) ? shells[operand] : undefined
    if (!script) throw new UsageError(`unknown shell '${operand}'; expected one of ${Object.keys(shells).join(', ')}`)
    io.line(script(commands()))
    return 0
  },
})
