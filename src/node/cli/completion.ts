// `sachet completion`: prints a script that completes commands, flags, names and values in bash, zsh or fish.
import { Argument, type Command, type Option } from 'commander';
import { operationId, ruleId } from '../../contract/control/match.ts';
import { shippedScenarios } from '../../shipped.ts';
import { optionsOf } from './flags.ts';

const shells = { bash, zsh, fish } as const;

export const add = (line: Command): Command =>
  line
    .command('completion')
    .description('print a script that completes commands, flags and names')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  bash, in ~/.bashrc:  source <(sachet completion bash)
  zsh, in ~/.zshrc:    source <(sachet completion zsh)
  fish:                sachet completion fish > ~/.config/fish/completions/sachet.fish`,
    )
    .action((shell: keyof typeof shells) => void process.stdout.write(shells[shell](line)));

/**
 * The words that can follow a command line. Its `*` stands for any words. At its end is the flag that waits for a value, or
 * `-` for a flag.
 */
type Row = readonly [line: string, words: readonly string[]];

/** Values of flags whose help does not list them, by the name of the flag. */
const moreValues: Readonly<Record<string, () => readonly string[]>> = {
  operation: () => operationId.options,
  rule: () => ruleId.options,
  scenario: () => shippedScenarios().map(({ name }) => name),
};

const namesOf = ({ long, short }: Option): string[] =>
  [long ?? '', short ?? ''].filter((name) => name.startsWith('--'));

/** Deeper commands first: `sachet *` also matches their lines. */
function rowsOf({ commands, options, registeredArguments }: Command, line = 'sachet ', inherited?: readonly Option[]) {
  // The first command is `serve`, the default one.
  const flags = [...options, ...(inherited ?? commands[0]?.options ?? [])];
  const rows: Row[] = [
    ...commands.flatMap((one) => rowsOf(one, `${line}${one.name()} `, inherited ? options : [])),
    ...flags.flatMap((flag) => {
      const words = flag.argChoices ?? moreValues[flag.name()]?.() ?? [];
      return namesOf(flag).map((name): Row => [`${line}*${name}`, words]);
    }),
    [`${line}*-`, [...flags.flatMap(namesOf), '--help']],
    [line, [...commands.map((one) => one.name()), ...(registeredArguments[0]?.argChoices ?? [])]],
  ];
  return rows.filter(([, words]) => words.length > 0);
}

const flagsWithValue = (line: Command): string => {
  const flags = optionsOf(line).filter(({ required }) => required);
  return [...new Set(flags.flatMap(namesOf))].join(' ');
};

// The scripts make such a line of the words before the cursor: without flags and their values. After a flag, it is serve.

function bash(line: Command): string {
  const cases = rowsOf(line).map(
    ([place, words]) => `    ${place.replaceAll(' ', '\\ ')}) words='${words.join(' ')}' ;;`,
  );
  return `# Completes sachet in bash. Made by \`sachet completion bash\`.
_sachet() {
  local current=\${COMP_WORDS[COMP_CWORD]} line=\${COMP_LINE:0:$COMP_POINT} before='sachet ' flag='' words='' word all
  read -ra all <<< "\${line% *}"
  for word in "\${all[@]:1}"; do
    [[ $word == -* && $before == 'sachet ' ]] && before='sachet serve '
    if [[ $flag ]]; then flag=''
    elif [[ ' ${flagsWithValue(line)} ' == *" $word "* ]]; then flag=$word
    elif [[ $word != -* ]]; then before+="$word "; fi
  done
  [[ $current == -* ]] && flag=\${flag:--}
  case "$before$flag" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sachet sachet
`;
}

/** zsh runs the script of bash, but reads a list with another option. */
function zsh(line: Command): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U bashcompinit && bashcompinit
${bash(line).replace('read -ra', 'read -rA')}`;
}

function fish(line: Command): string {
  const cases = rowsOf(line).map(
    ([place, words]) => `    case '${place}'\n      string split -- ' ' '${words.join(' ')}'`,
  );
  return `# Completes sachet in fish. Made by \`sachet completion fish\`.
function __sachet
  set -l before
  set -l flag
  for word in (commandline -opc)
    if test -n "$flag"
      set flag
    else if not string match -q -- '-*' $word
      set -a before $word
    else
      test "$before" = sachet; and set -a before serve
      contains -- $word ${flagsWithValue(line)}; and set flag $word
    end
  end
  test -z "$flag"; and string match -q -- '-*' (commandline -ct); and set flag -
  switch "$before $flag"
${cases.join('\n')}
    case '*'
      __fish_complete_path (commandline -ct)
  end
end
complete -c sachet -f -a '(__sachet)'
`;
}
