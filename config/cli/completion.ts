import { defineCommand, UsageError, type Command } from './shared/command.ts'

const programs = ['content-orchestrator', 'orchestrator']

/** Returns the words that may follow the words of a command; flags may be repeated, subcommands not. */
function followersOf(commands: readonly Command[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = commands.flatMap(({ name, flags }) => {
    const words = name.split(' ')
    const steps = words.map((word, at) => [words.slice(0, at).join(' '), word] as const)
    return [...steps, ...[...Object.keys(flags), 'help'].map((flag) => [name, `--${flag}`] as const)]
  })
  return new Map(
    [...Map.groupBy(pairs, ([after]) => after)].map(([after, group]) => [
      after,
      new Set(group.map(([, word]) => word)),
    ]),
  )
}

const bash = (commands: readonly Command[]): string => `_content_orchestrator() {
  local found
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${[...followersOf(commands)]
  .map(([after, words]) => {
    const more = commands.some(({ name }) => name === after) ? `|'${after} '*` : ''
    return `    '${after}'${more}) found="${[...words].join(' ')}" ;;`
  })
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _content_orchestrator ${programs.join(' ')}`

const zsh = (commands: readonly Command[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`

const fish = (commands: readonly Command[]): string =>
  programs
    .flatMap((program) =>
      [...followersOf(commands)].map(([after, words]) => {
        const typed =
          after === '' ? [] : after.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
        const isCommand = commands.some(({ name }) => name === after)
        const untyped = isCommand ? [] : [`not __fish_seen_subcommand_from ${[...words].join(' ')}`]
        const condition = [...typed, ...untyped].join('; and ')
        return `complete -c ${program} -n '${condition}' ${isCommand ? '' : '-f '}-a '${[...words].join(' ')}'`
      }),
    )
    .join('\n')

const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** Creates the command that prints the completion script of a shell. */
export const completionOf = (commands: () => Promise<readonly Command[]>) =>
  defineCommand({
    name: 'completion',
    summary: 'Prints a script that completes commands and flags in bash, zsh or fish, but not after npx.',
    operand: 'SHELL',
    flags: {},
    async run(_, io, operand = '') {
      const script = Object.hasOwn(shells, operand) ? shells[operand] : undefined
      if (!script)
        throw new UsageError(`unknown shell '${operand}'; expected one of ${Object.keys(shells).join(', ')}`)
      io.print(script(await commands()))
    },
  })
