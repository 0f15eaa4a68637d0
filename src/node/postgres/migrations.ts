// The database's tables, as a numbered list of steps: a step that has been released is never changed, the next one is added behind it.
// A step may only add: during an upgrade servers of the version before run on over what it has made.

/** What each step does; its number is its place, from 1. */
export const migrations: readonly string[] = [
  `
  -- A sandbox by a number of its own: one that is made again under a name is another one.
  create table sandboxes (
    id bigint generated always as identity primary key,
    name text not null unique,
    version bigint not null,
    -- The newest epoch: writes go there.
    epoch int not null default 0,
    made_by_login boolean not null,
    ttl_seconds double precision,
    used_at timestamptz not null default clock_timestamp()
  );
  create index sandboxes_by_use on sandboxes (used_at) where made_by_login;
  create index sandboxes_with_ttl on sandboxes (used_at) where ttl_seconds is not null;
  -- Those whose rows are still to go: many may take long.
  create table forgotten (sandbox bigint primary key);
  -- The last changes of each sandbox, for servers that have it in memory.
  create table change_lists (
    sandbox bigint not null,
    version bigint not null,
    changes text not null,
    primary key (sandbox, version)
  );
  -- A snapshot ends an epoch, a restore begins one upon the snapshot's: what is kept is never copied.
  create table epochs (
    sandbox bigint not null,
    epoch int not null,
    parent int,
    primary key (sandbox, epoch)
  );
  create table snapshots (
    sandbox bigint not null,
    name text not null,
    epoch int not null,
    at double precision not null,
    primary key (sandbox, name)
  );
  -- What was written in an epoch: rows of tables by their sequence numbers (null: taken out), and values under their names.
  create table rows (
    sandbox bigint not null,
    epoch int not null,
    place text not null,
    sequence bigint not null,
    row text,
    primary key (sandbox, epoch, place, sequence)
  );
  -- The calls of each sandbox that were answered last, by all servers.
  create table journals (
    sandbox bigint primary key,
    -- The number of the next row.
    next bigint not null default 0,
    cleared_to bigint not null default 0,
    cleared_at timestamptz
  );
  create table journal_rows (
    sandbox bigint not null,
    number bigint not null,
    started_at double precision not null,
    row text not null,
    primary key (sandbox, number)
  );
  `,
];
