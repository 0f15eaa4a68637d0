// `sachet completion`: prints a script that completes commands, flags, names and values in bash, zsh or fish.
import { Argument, type Command, type Option } from 'commander';
import { operationId, ruleId } from '../../contract/control/match.ts';
import { scenariosWith } from '../load-files.ts';

interface Flag {
  readonly name: string;
  readonly hasValue: boolean;
  /** The known ones. */
  readonly values: readonly string[];
}

/** The words that can follow a command, and its flags. */
interface Place {
  /** `sachet clock`, for example. */
  readonly path: string;
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
}

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
    .action((shell: keyof typeof shells) => void process.stdout.write(shells[shell](placesOf(line, 'sachet'))));

/** Values of flags whose help does not list them. */
const moreValues: Readonly<Record<string, () => readonly string[]>> = {
  '--operation': () => operationId.options,
  '--rule': () => ruleId.options,
  '--scenario': () => scenariosWith(undefined).map(({ name }) => name),
};

const flagsOf = ({ long, short, required, argChoices }: Option): Flag[] =>
  [long ?? '', short ?? '']
    .filter((name) => name.startsWith('--'))
    .map((name) => ({ name, hasValue: required, values: argChoices ?? moreValues[name]?.() ?? [] }));

/** Deeper places first: a place also matches the words in front of it. */
function placesOf({ commands, options, registeredArguments }: Command, path: string, inherited?: Flag[]): Place[] {
  const own = options.flatMap(flagsOf);
  // The first command is `serve`, the default one.
  const more = inherited ?? commands[0]?.options.flatMap(flagsOf) ?? [];
  const words = [...commands.map((one) => one.name()), ...(registeredArguments[0]?.argChoices ?? [])];
  const deeper = commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`, inherited ? own : []));
  return [...deeper, { path, words, flags: [...own, ...more, { name: '--help', hasValue: false, values: [] }] }];
}

const flagsWithValue = (places: readonly Place[]): string =>
  [...new Set(places.flatMap(({ flags }) => flags.flatMap(({ name, hasValue }) => (hasValue ? [name] : []))))].join(
    ' ',
  );

// In both scripts, `before` is the command so far, without flags and their values. After a flag, it is serve.

function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, words, flags }) => {
    const first = words.length > 0 ? `; [[ $before == '${path} ' ]] && words='${words.join(' ')}'` : '';
    return `    '${path} '*) flags='${flags.map(({ name }) => name).join(' ')}'${first} ;;`;
  });
  const values = places.flatMap(({ path, flags }) =>
    flags
      .filter((flag) => flag.values.length > 0)
      .map((flag) => `    '${path} '*' ${flag.name}') words='${flag.values.join(' ')}' ;;`),
  );
  return `# Completes sachet in bash. Made by \`sachet completion bash\`.
_sachet() {
  local current=\${COMP_WORDS[COMP_CWORD]} line=\${COMP_LINE:0:$COMP_POINT} before='sachet ' flag='' words='' flags=''
  local word all
  read -ra all <<< "\${line% *}"
  for word in "\${all[@]:1}"; do
    [[ $word == -* && $before == 'sachet ' ]] && before='sachet serve '
    if [[ $flag ]]; then flag=''
    elif [[ ' ${flagsWithValue(places)} ' == *" $word "* ]]; then flag=$word
    elif [[ $word != -* ]]; then before+="$word "; fi
  done
  case "$before" in
${cases.join('\n')}
  esac
  [[ $current == -* ]] && words=$flags
  [[ $flag ]] && words=''
  case "$before $flag" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _sachet sachet
`;
}

/** zsh runs the script of bash, but reads a list with another option. */
function zsh(places: readonly Place[]): string {
  return `(( $+functions[compdef] )) || { autoload -U compinit && compinit; }
autoload -U bashcompinit && bashcompinit
${bash(places).replace('read -ra', 'read -rA')}`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, flags }) => {
    const where = `complete -c sachet -n "__sachet_${path === 'sachet' ? 'is' : 'after'} '${path}'"`;
    return [
      ...(words.length > 0 ? [`complete -c sachet -n "__sachet_is '${path}'" -f -a '${words.join(' ')}'`] : []),
      ...flags.map(({ name, hasValue, values }) => {
        const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r';
        return `${where} -l ${name.slice(2)}${hasValue ? value : ''}`;
      }),
    ];
  });
  return `# Completes sachet in fish. Made by \`sachet completion fish\`.
function __sachet_before
  set -l before
  set -l flag
  for word in (commandline -opc)
    if test -n "$flag"
      set flag
    else if not string match -q -- '-*' $word
      set -a before $word
    else
      test "$before" = sachet; and set -a before serve
      contains -- $word ${flagsWithValue(places)}; and set flag $word
    end
  end
  string join ' ' -- $before
end
function __sachet_is
  test (__sachet_before) = $argv[1]
end
function __sachet_after
  string match -q -- "$argv[1] *" (__sachet_before)' '
end
${lines.join('\n')}
`;
}
