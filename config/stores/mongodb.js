/*
 * For mongosh: makes the replica set, and a user for each service with its own database. Each password comes from
 * MONGODB_{USER}_PASSWORD; a changed one replaces the old one. Exits with 0 once there is a primary with these users. Safe to
 * repeat. MONGODB_HOST is the address of the member, for itself and for the services.
 */
const passwordOf = (user) => {
  const password = process.env[`MONGODB_${user.toUpperCase()}_PASSWORD`];
  if (!password) throw new Error(`MONGODB_${user.toUpperCase()}_PASSWORD is not set`);
  return password;
};

try {
  const admin = connect(`mongodb://${process.env.MONGODB_HOST}/admin?directConnection=true`);
  admin.auth('operator', passwordOf('operator'));
  const { setName, isWritablePrimary } = admin.hello();
  if (!setName) {
    admin.adminCommand({
      replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: process.env.MONGODB_HOST }] },
    });
  }
  if (!isWritablePrimary) quit(1);
  for (const user of ['auth', 'profile', 'search', 'billing']) {
    const rights = { pwd: passwordOf(user), roles: [{ role: 'readWrite', db: `covalence-${user}` }] };
    if (admin.getUser(user)) admin.updateUser(user, rights);
    else admin.createUser({ user, ...rights });
  }
  quit(0);
} catch (error) {
  print(error.message);
  quit(1);
}
