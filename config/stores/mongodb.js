/*
 * For mongosh: makes a user for each service with its own database. Each password comes from MONGODB_{USER}_PASSWORD; a
 * changed one replaces the old one. Exits with 0 once there is a primary with these users. Safe to repeat.
 * Where MONGODB_HOST names the only member of a replica set (--nodb), connects as operator and makes the replica set first;
 * else it uses the connection of the shell.
 */
const passwordOf = (user) => {
  const password = process.env[`MONGODB_${user.toUpperCase()}_PASSWORD`];
  if (!password) throw new Error(`MONGODB_${user.toUpperCase()}_PASSWORD is not set`);
  return password;
};
const rolesOf = (role, databases) => databases.map((service) => ({ role, db: `covalence-${service}` }));

try {
  const host = process.env.MONGODB_HOST;
  const admin = host ? connect(`mongodb://${host}/admin?directConnection=true`) : db.getSiblingDB('admin');
  if (host) admin.auth('operator', passwordOf('operator'));
  const { setName, isWritablePrimary } = admin.hello();
  if (!setName && host) {
    admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  }
  // While the image makes its first user, a server without a replica set runs, which takes writes.
  if (!setName || !isWritablePrimary) quit(1);
  const services = ['auth', 'profile', 'search', 'billing'];
  // Backups may only read; those of a restore are needed during it alone. Both are made where they have a password.
  const optional = { backup: 'read', restore: 'readWrite' };
  const wanted = [
    ...services.map((user) => [user, rolesOf('readWrite', [user])]),
    ...Object.entries(optional)
      .filter(([user]) => process.env[`MONGODB_${user.toUpperCase()}_PASSWORD`])
      .map(([user, role]) => [user, rolesOf(role, services)]),
  ];
  for (const [user, roles] of wanted) {
    const rights = { pwd: passwordOf(user), roles };
    if (admin.getUser(user)) admin.updateUser(user, rights);
    else admin.createUser({ user, ...rights });
  }
  quit(0);
} catch (error) {
  print(error.message);
  quit(1);
}
